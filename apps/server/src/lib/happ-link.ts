import { constants, createPublicKey, publicEncrypt, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'

// Happ opens these links with the private keys inside the app; the public ones are published by its vendor. A text too
// long for the short key takes the long one (docs/wire.md 19).
const LONGEST_FOR_SHORT_KEY = 109
const SHORT_KEY = publicKey(
  'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCxsS7PUq1biQlVD92rf6eXKr9oG1/SrYx3qWahZP+Jq35m4Wb/Z+mB6eBWrPzJ/zZpZLWLQorcvOKt' +
    '+sLaCHyH1HLNkti4jlaEQX6x97XgBm8GK08+lLLWquFDhWRNxsrfzJyNdVpopzBRmCJKTc8ObYyPbrv9T35a8Kd5WqjnUwIDAQAB',
)
const LONG_KEY = publicKey(
  'MIICIjANBgkqhkiG9w0BAQEFAAOCAg8AMIICCgKCAgEA5cL2yu9dZGnNbs4jt222NugIqiuZdXKdTh4IgXZmOX0vdpW+rYWrPd1EObQ3Urt+YBTK5Di9' +
    '8EBjYCPr8tusaVRAn3Vaq41CDisEdX35u1N8jSHQ0zDOtPdrvJtlqShib4UI6Vybk/QSmoZVbpRb67TNsiFqBmK1kxT+mbtHkhdT2u+hzNLQr0FtJR1+' +
    'gC+ELKZ48zZY/d3YSSRSb+dxUnd4FH31Kz68VKqlajISSzIrGQWc/zqSlihIvfnTPNX3pCyJpwAuYXieWSRDAogrwGwoiN++y14OLYHrNlqzoJ44WM3T' +
    'bm7x1Dj/8QI3tzwixli/0JmqQ19ssETDbVQ90asoPc4QFhyc4c+PH62AdK1S+ysXt5uqEujRBk3rC53l65IOVXSTZgsLwzS7EFY9lZszJXUJJh5GB9he' +
    'O8c7PNCTOxno3l4684iHFJuxnkS0DLbdzCXfovwfIP8q3lj7UJswPKVHkCLNSUutNke+xex1J3YEdvebJzv7Dk78PqLRmLWaEsAhQanXs93aTxEkd/p7' +
    'hgFV30QozVQ/oNAvmQSVIBd6zCGM3of3R3tmDkDNGQGrY4MBTX+cTJGYstdhQXxj1oFZEG16F/0GGXG+sia67gYM3OC7RWyBOzULsEmupIiM8Vdx1iEr' +
    'w7yvJSC4IsIsWZD8JAmZtLBqEQ/TvfcCAwEAAQ==',
)

/** Those of some large pages of users, which are asked for again and again; about 4 MB. */
const KEPT_LINKS = 10_000
const links = new LRUCache<string, string>({ max: KEPT_LINKS })

/** The text encrypted for the Happ client; empty where it cannot be, as the wire says. Once made a link is kept for a while. */
export function happCryptoLink(text: string): string {
  const kept = links.get(text)
  if (kept !== undefined) return kept
  const made = encrypted(text)
  if (made !== '') links.set(text, made)
  return made
}

/** 10 µs of a processor with the short key. */
function encrypted(text: string): string {
  try {
    return text.length <= LONGEST_FOR_SHORT_KEY
      ? `happ://crypt/${encrypt(SHORT_KEY, text)}`
      : `happ://crypt2/${encrypt(LONG_KEY, text)}`
  } catch {
    return '' // longer than a key can hold
  }
}

function encrypt(key: KeyObject, text: string): string {
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(text, 'utf8')).toString('base64')
}

function publicKey(base64: string): KeyObject {
  return createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
}
