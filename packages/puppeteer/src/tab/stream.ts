import { EngineError } from '@harvestman/ports'

import { tell, type Session } from '../lib/cdp.ts'

const pieceBytes = 1_048_576

/** Reads a stream of the browser to its end. Rejects with `response_too_large` if it has more than `maxBytes`. */
export async function readStream(session: Session, handle: string, maxBytes: number): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for (;;) {
      const { data, base64Encoded, eof } = await session.send('IO.read', { handle, size: pieceBytes })
      const piece = Buffer.from(data, base64Encoded ? 'base64' : 'utf8')
      bytes += piece.length
      if (bytes > maxBytes) {
        throw new EngineError(
          'response_too_large',
          `The file is larger than ${maxBytes} bytes, the limit of this engine.`,
        )
      }
      pieces.push(piece)
      if (eof) return Buffer.concat(pieces)
    }
  } finally {
    void tell(session, 'IO.close', { handle })
  }
}
