// Holds the pages for the languages other than that of the browser's own interpreter. No code of callers runs in here, so
// that what one language does to its objects is not met by another. Each line is the number of a client and its question.
import net from 'node:net'

import { openPages } from './browser.mjs'
import { runCommand } from './commands.mjs'
import { readLines } from './lines.mjs'
import { callPage, forgetClient, takeReply } from './remote.mjs'

const channel = new net.Socket({ fd: 3, readable: true, writable: true })

async function answer(client, message) {
  try {
    const all = await openPages()
    const send = (question) => channel.write(`${client} ${JSON.stringify(question)}\n`)
    return message.argv ? await runCommand(all, message.argv) : await callPage(all, message, client, send)
  } catch (error) {
    return { error: error.message }
  }
}

readLines(channel, async (line) => {
  const [, client, question] = /^(\d+) (.*)$/s.exec(line)
  let message
  try {
    message = JSON.parse(question)
  } catch {
    return
  }
  if (message?.gone) return forgetClient(client)
  if (message?.reply !== undefined) return takeReply(client, message)
  channel.write(`${client} ${JSON.stringify({ id: message?.id, ...(await answer(client, message ?? {})) })}\n`)
})
channel.on('close', () => process.exit(0))
