import { expect, test } from 'vitest'

import { findDelays } from './check-delays.ts'

const found = (file: string, text: string): number => findDelays([{ file, text }]).length
const server = 'packages/sandbox/jail/more.mjs'

test('a TCP socket that delays small messages is reported', () => {
  expect(found(server, 'net.createServer((socket) => socket.end())')).toBe(1)
  expect(found(server, 'const relay = net.createServer(\n  (socket) => socket.pipe(far),\n)')).toBe(1)
  expect(found(server, "net.connect(Number(port), '127.0.0.1')")).toBe(1)
  expect(found('packages/net/src/more.ts', 'tls.connect({ host, port })')).toBe(1)
  expect(found(server, "import { createServer } from 'node:net'")).toBe(1)
})

test('a socket that sends at once, tests and the exceptions with a reason are not reported', () => {
  expect(found(server, 'net.createServer({ noDelay: true }, (socket) => socket.end())')).toBe(0)
  expect(found(server, 'net.connect({ host: at(url), port, noDelay: true })')).toBe(0)
  expect(found('packages/net/src/more.test.ts', 'net.createServer(take)')).toBe(0)
  expect(found('packages/sandbox/src/probe.ts', 'net.createServer(take)')).toBe(0)
  expect(found(server, "import { createServer } from 'node:http'")).toBe(0)
})
