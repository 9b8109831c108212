import { maxMessageBytes } from '@harvestman/toolbox/inbox'
import { hearOn, unread, type Hearing } from '@harvestman/toolbox/socket-talk'

import { statuses } from '../refusals/errors.ts'
import type { Refusal } from '../answer/answer.ts'
import { talkCodes, type Channel, type Talk } from '../answer/talk.ts'

const opensWithin = 10_000

/**
 * Opens the WebSocket at another process and relays messages in both directions. Resolves to a 403 response if the other
 * process does not accept the connection within 10 seconds or cannot be reached.
 */
export async function relayWebSocket(
  url: string,
  headers: Readonly<Record<string, string>>,
  onFault: (fault: unknown) => void,
): Promise<Talk | Refusal> {
  const socket = new WebSocket(url, { headers })
  const hearing = hearOn(socket, onFault)
  if (!(await opened(socket)))
    return { ...statuses.forbidden, error: 'This link to a live browser is invalid or has expired.' }
  return { maxIncoming: maxMessageBytes, begin: async (channel) => join(socket, hearing, channel) }
}

function opened(socket: WebSocket): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => (resolve(false), socket.close()), opensWithin)
    const settle = (isOpen: boolean) => (): void => {
      clearTimeout(late)
      resolve(isOpen)
    }
    socket.addEventListener('open', settle(true))
    socket.addEventListener('error', settle(false))
  })
}

function join(socket: WebSocket, hearing: Hearing, channel: Channel): (text: string) => unknown {
  socket.addEventListener('close', ({ code, reason }) =>
    channel.close(code === 1005 || code === 1006 ? talkCodes.goingAway : code, reason),
  )
  channel.onClose = () => socket.close()
  hearing.open(channel.send)
  if (socket.readyState !== socket.OPEN) channel.close(talkCodes.goingAway, 'The live browser has ended.')
  return (text) => {
    if (socket.bufferedAmount > unread.most)
      channel.close(talkCodes.fault, 'The process of the live browser does not read its messages.')
    else if (socket.readyState === socket.OPEN) socket.send(text)
  }
}
