// Every runtime of ours has it and it is a pure function; declared here because the language's own library lacks it.
declare const btoa: (binary: string) => string

/**
 * Standard Base64 of the text's UTF-8 bytes. Scanning a long text takes as long as encoding it, so a caller may say
 * that it is ASCII.
 */
export function base64(text: string, isKnownAscii = isAscii(text)): string {
  return btoa(isKnownAscii ? text : utf8Bytes(text))
}

/** Whether each of its letters is one byte in UTF-8. */
export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text) // oxlint-disable-line no-control-regex -- the ASCII range
}

/** Base64 for URLs: other two letters, no padding. */
export function base64Url(text: string): string {
  return unpadded(base64(text))
}

/** Both alphabets, padded or not, brought to one form, so that texts can be compared in their encoded form. */
export function unpadded(encoded: string): string {
  return encoded.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** The encoding of HTML forms: a blank becomes `+`, everything but letters, digits and `*-._` is percent-encoded. */
export function formEncode(text: string): string {
  return uriEncode(text)
    .replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}

/** Percent-encoding of a URI component. Half a surrogate pair, which UTF-8 cannot express, becomes the replacement sign. */
export function uriEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** The UTF-8 bytes as a text of one character per byte. */
function utf8Bytes(text: string): string {
  return uriEncode(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
