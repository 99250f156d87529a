import { inboundsOf, isObject, objectAt, textAt, type XrayObject } from './config.ts'

/** A certificate or key file, with the inbound and the place in the configuration that name it. */
export interface NamedFile {
  tag: string
  path: string
  file: string
}

/** Every file that the inbounds' TLS settings name, in their order; one that is named twice comes twice. */
export function certificateFiles(config: XrayObject): NamedFile[] {
  return inboundsOf(config).flatMap((inbound, index) =>
    certificatesOf(inbound).flatMap((entry, number) =>
      ['certificateFile', 'keyFile'].flatMap((key) => {
        const path = `inbounds[${index}].streamSettings.tlsSettings.certificates[${number}].${key}`
        const file = textAt(entry, key)
        return file === '' ? [] : [{ tag: textAt(inbound, 'tag'), path, file }]
      }),
    ),
  )
}

/** Certificate and key files named in the inbounds. They lie on the panel's machine, not on the node. */
export function certificatePaths(config: XrayObject): string[] {
  return [...new Set(certificateFiles(config).map(({ file }) => file))]
}

/** Puts the files' contents where their names were. An entry whose files could not both be read stays as it is. */
export function inlineCertificates(config: XrayObject, files: ReadonlyMap<string, string>): XrayObject {
  const inline = (entry: unknown): unknown => {
    const certificate = files.get(textAt(entry, 'certificateFile'))
    const key = files.get(textAt(entry, 'keyFile'))
    if (!isObject(entry) || certificate === undefined || key === undefined) return entry
    const { certificateFile: _certificate, keyFile: _key, ...rest } = entry
    return { ...rest, certificate: lines(certificate), key: lines(key) }
  }
  const inbounds = inboundsOf(config).map((inbound) => {
    const certificates = certificatesOf(inbound)
    if (certificates.length === 0) return inbound
    const stream = objectAt(inbound, 'streamSettings')
    const tls = { ...objectAt(stream, 'tlsSettings'), certificates: certificates.map(inline) }
    return { ...inbound, streamSettings: { ...stream, tlsSettings: tls } }
  })
  return { ...config, inbounds }
}

function certificatesOf(inbound: XrayObject): unknown[] {
  const certificates = objectAt(objectAt(inbound, 'streamSettings'), 'tlsSettings')['certificates']
  return Array.isArray(certificates) ? certificates : []
}

function lines(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '')
}
