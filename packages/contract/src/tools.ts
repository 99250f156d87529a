import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireUrl } from './wire.ts'

// Small helpers for scripts, as later releases of this generation have them (since 2.1.8 and 2.1.14).

const tag = 'Tools'

export const generateKeyPairs = endpoint({
  name: 'generateKeyPairs',
  title: 'Generate X25519 Key Pairs',
  tag,
  access: 'tools.use',
  method: 'GET',
  path: '/api/system/tools/x25519/generate',
  response: z.object({ keypairs: z.array(z.object({ publicKey: z.string(), privateKey: z.string() })) }),
})
export const encryptHappLink = endpoint({
  name: 'encryptHappLink',
  title: 'Encrypt Happ Link',
  tag,
  access: 'tools.use',
  method: 'POST',
  path: '/api/system/tools/happ/encrypt',
  body: z.object({ linkToEncrypt: wireUrl }),
  response: z.object({ encryptedLink: z.string() }),
  status: 201,
})
