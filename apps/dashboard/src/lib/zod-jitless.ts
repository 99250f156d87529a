import { config } from 'zod/v4/core'

// zod probes for eval when a schema is built, which the content security policy reports as a violation. This module must
// therefore run before any that builds schemas: main.ts imports it first.
config({ jitless: true })
