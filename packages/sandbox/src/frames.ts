// The protocol between this process and a jail: length, kind, number, bytes. The other end is `jail/frames.mjs`.
export const frameKinds = { control: 0, open: 1, data: 2, close: 3, stdout: 4, stderr: 5 } as const

const head = 9
const largest = 64 * 1024 * 1024

/**
 * Formats a frame: the length of the payload in bytes (32 bits, big-endian), its kind (8 bits) and id (32 bits), and the
 * payload.
 */
export function frame(kind: number, id: number, payload: Uint8Array = new Uint8Array()): Buffer {
  const all = Buffer.allocUnsafe(head + payload.length)
  all.writeUInt32BE(payload.length, 0)
  all.writeUInt8(kind, 4)
  all.writeUInt32BE(id, 5)
  all.set(payload, head)
  return all
}

/** Formats a control frame, whose content is JSON and whose id is 0. */
export function controlFrame(message: object): Buffer {
  return frame(frameKinds.control, 0, Buffer.from(JSON.stringify(message)))
}

/**
 * Returns a parser of frames, which calls `take` for each complete one, in however many chunks it arrives. After a frame of
 * more than 64 MiB it calls `refuse` and stops, because a jail may send anything.
 */
export function readFrames(
  take: (kind: number, id: number, payload: Buffer) => void,
  refuse: () => void,
): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let held = 0
  let isRefused = false
  return (chunk) => {
    if (isRefused) return
    parts.push(chunk)
    held += chunk.length
    const [first] = parts
    if (
      held < head ||
      (first && first.length >= head && held < head + first.readUInt32BE(0) && first.readUInt32BE(0) <= largest)
    )
      return
    let rest = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    while (rest.length >= head) {
      const size = rest.readUInt32BE(0)
      if (size > largest) {
        isRefused = true
        return refuse()
      }
      if (rest.length < head + size) break
      take(rest.readUInt8(4), rest.readUInt32BE(5), rest.subarray(head, head + size))
      rest = rest.subarray(head + size)
    }
    parts = rest.length > 0 ? [rest] : []
    held = rest.length
  }
}
