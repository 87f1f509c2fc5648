"""All that uses the network. It is loaded only where the user asks for it (`--fetch-assets`)."""

from kbexport.fetch.pictures import Fetched, fetch_pictures
from kbexport.fetch.web import Limits

__all__ = ["Fetched", "Limits", "fetch_pictures"]
