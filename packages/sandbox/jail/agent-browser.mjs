// The command of this name: hands what it was given to the interpreter that holds the pages, and prints the answer.
import net from 'node:net'

const socket = net.connect(process.env.HARVESTMAN_PAGES)
let text = ''
socket.on('error', () => {
  process.stderr.write('The browser of this session cannot be reached.\n')
  process.exitCode = 1
})
socket.setEncoding('utf8').on('data', (chunk) => {
  text += chunk
  if (!text.endsWith('\n')) return
  const { output = '', error } = JSON.parse(text)
  if (output !== '') process.stdout.write(`${output}\n`)
  if (error !== undefined) process.stderr.write(`${error}\n`)
  process.exitCode = error === undefined ? 0 : 1
  socket.end()
})
socket.write(`${JSON.stringify({ id: 1, argv: process.argv.slice(2) })}\n`)
