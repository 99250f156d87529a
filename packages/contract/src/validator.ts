import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Where the editor of config profiles finds what it checks with. Own addition. */
export const getValidator = endpoint({
  name: 'getValidator',
  title: 'Get Validator',
  tag: 'Config profiles',
  access: 'profiles.read',
  method: 'GET',
  path: '/api/x/validator',
  response: z.object({
    schemaUrl: z.string().describe('JSON schema of a configuration, for completion and hints'),
    engine: z
      .object({
        wasmUrl: z.string().describe('Xray itself for browsers; its address changes with its content'),
        runtimeUrl: z.string().describe('the script that Go programs need in a browser'),
        licencesUrl: z.string(),
        bytes: z.number().describe('size of the module when unpacked'),
      })
      .nullable()
      .describe('null where the engine was not built'),
  }),
})
export type Validator = z.output<typeof getValidator.response>
