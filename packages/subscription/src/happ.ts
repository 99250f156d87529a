import { base64 } from './text-encoding.ts'

/** Published by the vendor of the Happ client (SPKI DER in Base64). */
const key1024 =
  'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCxsS7PUq1biQlVD92rf6eXKr9oG1/SrYx3qWahZP+Jq35m4Wb/Z+mB6eBWrPzJ/zZpZLWLQorcvOKt+sLaCHyH1HLNkti4jlaEQX6x97XgBm8GK08+lLLWquFDhWRNxsrfzJyNdpVopzBRmCJKTc8ObYyPbrv9T35a8Kd5WqjnUwIDAQAB'
const key4096 =
  'MIICIjANBgkqhkiG9w0BAQEFAAOCAg8AMIICCgKCAgEA5cL2yu9dZGnNbs4jt222NugIqiuZdXKdTh4IgXZmOX0vdpW+rYWrPd1EObQ3Urt+YBTK5Di98EBjYCPr8tusaVRAn3Vaq41CDisEdX35u1N8jSHQ0zDOtPdrvJtlqShib4UI6Vybk/QSmoZVbpRb67TNsiFqBmK1kxT+mbtHkhdT2u+hzNLQr0FtJR1+gC+ELKZ48zZY/d3YSSRSb+dxUnd4FH31Kz68VKqlajISSzIrGQWc/zqSlihIvfnTPNX3pCyJpwAuYXieWSRDAogrwGwoiN++y14OLYHrNlqzoJ44WM3Tbm7x1Dj/8QI3tzwixli/0JmqQ19ssETDbVQ90asoPc4QFhyc4c+PH62AdK1S+ysXt5uqEujRBk3rC53l65IOVXSTZgsLwzS7EFY9lZszJXUJJh5GB9heO8c7PNCTOxno3l4684iHFJuxnkS0DLbdzCXfovwfIP8q3lj7UJswPKVHkCLNSUutNke+xex1J3YEdvebJzv7Dk78PqLRmLWaEsAhQanXs93aTxEkd/p7hgFV30QozVQ/oNAvmQSVIBd6zCGM3of3R3tmDkDNGQGrY4MBTX+cTJGYstdhQXxj1oFZEG16F/0GGXG+sia67gYM3OC7RWyBOzULsEmupIiM8Vdx1iErw7yvJSC4IsIsWZD8JAmZtLBqEQ/TvfcCAwEAAQ=='

/** The longest text that the shorter key takes: 128 bytes less the 11 of the padding, less a reserve of the vendor's. */
const shortTextLength = 109

/** RSA with PKCS#1 v1.5 padding, as Base64. Given by the caller, since this package touches no machine. */
export type RsaEncrypt = (publicKeySpkiBase64: string, text: string) => string

/** A link that the Happ client opens without showing the address in it. Empty when encryption fails. */
export function happCryptoLink(content: string, encrypt: RsaEncrypt): string {
  const isShort = content.length <= shortTextLength
  try {
    return isShort ? `happ://crypt/${encrypt(key1024, content)}` : `happ://crypt2/${encrypt(key4096, content)}`
  } catch {
    return ''
  }
}

export function isHapp(userAgent: string): boolean {
  return userAgent.startsWith('Happ/')
}

/** The description as Happ reads it, behind the fragment of a link. */
export function encodedDescription(description: string | null): string {
  return description ? base64(description) : ''
}
