// Brings the questions of other languages to the interpreter that holds the pages. This process listens itself, for as long
// as there is a jail, so that no code of callers can stand in for the pages.
import net from 'node:net'

import { readLines } from './lines.mjs'

const most = 64 * 1024 * 1024

/** `open` gives the channel to the pages, which are started when they are first asked. */
export function brokerPages(open) {
  const clients = new Map()
  let last = 0
  let channel

  const closeAll = () => {
    channel = undefined
    for (const socket of clients.values()) socket.destroy()
  }
  const reach = () => {
    if (channel) return channel
    const opened = open()
    channel = opened
    const lost = () => channel === opened && closeAll()
    opened.on('close', lost)
    readLines(opened, (line) => {
      const space = line.indexOf(' ')
      const socket = clients.get(Number(line.slice(0, space)))
      if (socket && socket.writableLength < most) socket.write(`${line.slice(space + 1)}\n`)
      else socket?.destroy()
    })
    return opened
  }
  return net.createServer({ noDelay: true }, (socket) => {
    const id = ++last
    clients.set(id, socket)
    const refuse = () => socket.destroy()
    socket.on('close', () => {
      clients.delete(id)
      channel?.write(`${id} {"gone":true}\n`)
    })
    readLines(
      socket,
      (line) => {
        const to = reach()
        if (to.writableLength < most) to.write(`${id} ${line}\n`)
        else refuse()
      },
      { most, refuse },
    )
  })
}
