"""The rules of the competition as plain functions: no Django, no database, no clock."""
