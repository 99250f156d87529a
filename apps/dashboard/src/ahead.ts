import { askAhead } from './api/ahead.ts'

// A file of its own that runs while all other code is still on its way (page-hints.ts names it in the page's head).
askAhead()
