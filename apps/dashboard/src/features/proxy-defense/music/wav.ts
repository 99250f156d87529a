const HEADER_BYTES = 44
const BYTES_PER_SAMPLE = 2

/** Sound as a WAV file of 16 bits. Channels are of one length, samples from -1 to 1. */
export function wavOf(channels: readonly Float32Array[], sampleRate: number): Blob {
  const frames = channels[0]?.length ?? 0
  const dataBytes = frames * channels.length * BYTES_PER_SAMPLE
  const bytes = new DataView(new ArrayBuffer(HEADER_BYTES + dataBytes))
  const frameBytes = channels.length * BYTES_PER_SAMPLE
  write(bytes, 0, 'RIFF')
  bytes.setUint32(4, HEADER_BYTES - 8 + dataBytes, true)
  write(bytes, 8, 'WAVEfmt ')
  bytes.setUint32(16, 16, true) // length of what describes the format
  bytes.setUint16(20, 1, true) // plain samples
  bytes.setUint16(22, channels.length, true)
  bytes.setUint32(24, sampleRate, true)
  bytes.setUint32(28, sampleRate * frameBytes, true)
  bytes.setUint16(32, frameBytes, true)
  bytes.setUint16(34, BYTES_PER_SAMPLE * 8, true)
  write(bytes, 36, 'data')
  bytes.setUint32(40, dataBytes, true)
  let offset = HEADER_BYTES
  for (let frame = 0; frame < frames; frame += 1) {
    for (const channel of channels) {
      const sample = Math.min(Math.max(channel[frame] ?? 0, -1), 1)
      bytes.setInt16(offset, Math.round(sample * 32_767), true)
      offset += BYTES_PER_SAMPLE
    }
  }
  return new Blob([bytes.buffer], { type: 'audio/wav' })
}

function write(bytes: DataView, offset: number, text: string): void {
  for (let index = 0; index < text.length; index += 1) bytes.setUint8(offset + index, text.charCodeAt(index))
}
