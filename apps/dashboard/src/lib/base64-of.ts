/** A piece of a file as Base64, for a body of JSON. */
export function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      const { result } = reader
      if (typeof result === 'string') resolve(result.replace(/^[^,]*,/, ''))
    })
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read.')))
    reader.readAsDataURL(blob)
  })
}
