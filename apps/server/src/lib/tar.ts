// A writer of tar files (POSIX ustar) for contents in memory. Times are left out: equal contents are equal files.

const BLOCK = 512
const MODE = 0o644
/** Places in a header: name, mode, owner, group, size, time, checksum, type, and the word and version of the format. */
const [MODE_AT, OWNER_AT, GROUP_AT, SIZE_AT, TIME_AT, SUM_AT, TYPE_AT, WORD_AT] = [100, 108, 116, 124, 136, 148, 156, 257]

/** A file with its header, filled up to whole blocks. `name` has at most 100 bytes. */
export function* tarFile(name: string, content: Buffer): Generator<Buffer> {
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  header.write(name, 0)
  octal(MODE, MODE_AT, 8)
  octal(0, OWNER_AT, 8)
  octal(0, GROUP_AT, 8)
  octal(content.length, SIZE_AT, 12)
  octal(0, TIME_AT, 12)
  header.write('0', TYPE_AT)
  header.write('ustar\x0000', WORD_AT, 'latin1')
  header.fill(' ', SUM_AT, SUM_AT + 8) // as it is counted
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    SUM_AT,
    7,
  )
  yield header
  yield content
  yield Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)
}

export function tarEnd(): Buffer {
  return Buffer.alloc(2 * BLOCK)
}
