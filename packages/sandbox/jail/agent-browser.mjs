// The command of this name: hands what it was given to the interpreter that holds the pages, and prints the answer.
import net from 'node:net'

import { readLines } from './lines.mjs'

const where = process.env.HARVESTMAN_PAGES ?? ''
const socket = net.connect(
  /^\d+$/.test(where) ? { host: '127.0.0.1', port: Number(where), noDelay: true } : { path: where },
)
let isAnswered = false
readLines(socket, (line) => {
  isAnswered = true
  const { output = '', error } = JSON.parse(line)
  if (output !== '') process.stdout.write(`${output}\n`)
  if (error !== undefined) process.stderr.write(`${error}\n`)
  process.exitCode = error === undefined ? 0 : 1
  socket.end()
})
socket.on('close', () => {
  if (isAnswered) return
  process.stderr.write('The browser of this session cannot be reached.\n')
  process.exitCode = 1
})
socket.write(`${JSON.stringify({ id: 1, argv: process.argv.slice(2) })}\n`)
