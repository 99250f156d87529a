import { signedIdentity } from '@causeway/contract/agent'
import { Command } from 'commander'
import { X509Certificate } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { assertWhole, identityFile, readIdentity } from '../identity.ts'
import { makeRequest } from '../key-request.ts'
import { writeAtomically } from '../xray/core-files.ts'
import { readSettings } from './settings.ts'

const KEY_FILE = 'request-key.pem'
const signed = z.object({ response: signedIdentity })

/** Leaves a new key in the folder, and prints the request to sign it. */
export function requestCommand(): Command {
  return new Command('request').argument('<folder>').action(async (folder: string) => {
    const { keyPem, requestPem } = await makeRequest()
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    writeFileSync(path.join(folder, KEY_FILE), keyPem, { mode: 0o600 })
    console.log(JSON.stringify({ request: requestPem }))
  })
}

/** Reads the server's answer from its input, and makes the identity of key and certificate. */
export function acceptCommand(): Command {
  return new Command('accept').argument('<folder>').action(async (folder: string) => {
    const keyFile = path.join(folder, KEY_FILE)
    const { response } = signed.parse(JSON.parse(await text(process.stdin)))
    const payload = { ...response, nodeKeyPem: readFileSync(keyFile, 'utf8') }
    assertWhole(payload)
    writeAtomically(identityFile(folder), JSON.stringify(payload))
    rmSync(keyFile)
  })
}

/** Prints the SHA-256 of the certificate that this node has, if it has one. */
export function fingerprintCommand(): Command {
  return new Command('fingerprint').action(() => {
    const identity = readIdentity(readSettings()['DATA_DIR'] ?? '')
    if (identity) console.log(new X509Certificate(identity.nodeCertPem).fingerprint256.replaceAll(':', '').toLowerCase())
  })
}
