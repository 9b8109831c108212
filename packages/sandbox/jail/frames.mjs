// What goes between the engine and a jail: a length, a kind, a number, and bytes.
export const kinds = { control: 0, open: 1, data: 2, close: 3, stdout: 4, stderr: 5 }

const head = 9
const largest = 64 * 1024 * 1024

export function frame(kind, id, payload = Buffer.alloc(0)) {
  const all = Buffer.allocUnsafe(head + payload.length)
  all.writeUInt32BE(payload.length, 0)
  all.writeUInt8(kind, 4)
  all.writeUInt32BE(id, 5)
  payload.copy(all, head)
  return all
}

export function control(message) {
  return frame(kinds.control, 0, Buffer.from(JSON.stringify(message)))
}

export function readFrames(take) {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    while (rest.length >= head) {
      const size = rest.readUInt32BE(0)
      if (size > largest) throw new Error('A frame is too large.')
      if (rest.length < head + size) return
      const payload = rest.subarray(head, head + size)
      const [kind, id] = [rest.readUInt8(4), rest.readUInt32BE(5)]
      rest = rest.subarray(head + size)
      take(kind, id, payload)
    }
  }
}
