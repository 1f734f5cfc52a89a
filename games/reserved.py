"""Names that no one may take: readers could take them for the service or its staff.

In the languages of the service. An installation adds its own by the setting RESERVED_NAMES. How a
name is held against them: games.names.is_reserved.
"""

# Reserved as a whole name and as words in one: "Admin", "Admin 7", "The Moderators". What only
# contains the letters is free: Badminton, Supporter.
AS_WORDS = (
    # English
    "admin", "admins", "administrator", "administrators", "sysadmin", "superadmin", "superuser",
    "webmaster", "moderator", "moderators", "organiser", "organisers", "organizer", "organizers",
    "referee", "referees", "staff", "support", "helpdesk", "official", "daily deal",
    "deleted player", "deleted user",
    # Italian
    "amministratore", "amministratrice", "amministratori", "moderatore", "moderatrice",
    "moderatori", "organizzatore", "organizzatrice", "organizzatori", "supporto",
    "smazzata del giorno", "giocatore eliminato", "giocatore cancellato", "utente eliminato",
    # Spanish
    "administrador", "administradora", "administradores", "moderador", "moderadora", "moderadores",
    "organizador", "organizadora", "organizadores", "soporte", "reparto del día",
    "jugador eliminado", "jugador borrado", "usuario eliminado",
)  # fmt: skip

# Reserved as a whole name alone: other names are made of these words, too.
AS_WHOLE = (
    # The games
    "Easy Harp", "Eight Off", "Eight Off, 4 cells", "Eight Off, 4 celle", "Eight Off, 4 celdas",
    "Eight Off, 2 cells", "Eight Off, 2 celle", "Eight Off, 2 celdas",
    # English
    "mod", "mods", "judge", "system", "server", "service", "root", "owner", "operator", "bot",
    "team", "host", "help", "info", "security", "developer", "developers", "game master",
    "leaderboard", "player", "guest", "user", "anonymous", "nobody", "unknown", "null", "undefined",
    # Italian
    "arbitro", "arbitri", "sistema", "servizio", "proprietario", "proprietaria", "ufficiale",
    "assistenza", "sicurezza", "sviluppatore", "classifica", "giocatore", "giocatrice", "ospite",
    "utente", "anonimo", "nessuno", "sconosciuto",
    # Spanish
    "árbitro", "árbitra", "servicio", "propietario", "propietaria", "dueño", "oficial", "equipo",
    "ayuda", "asistencia", "seguridad", "desarrollador", "clasificación", "jugador", "jugadora",
    "invitado", "usuario", "anónimo", "nadie", "desconocido",
)  # fmt: skip
