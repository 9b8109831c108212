// @module-tag long
// @module-tag bubblewrap
// @module-tag python3
import { mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { CodeLanguage, Jail, Sandbox } from '@harvestman/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { localSandbox } from '../src/index.ts'
import { bound, languages, noBrowser, run, soon } from './setup.ts'

let sandbox: Sandbox
let jail: Jail
let server: Server
let contacts = 0
let folder: string
let place: { readonly file: string; readonly socket: string; readonly port: number; readonly pid: number }

beforeAll(async () => {
  process.env['HARVESTMAN_TEST_SECRET'] = 'open sesame'
  folder = mkdtempSync(join(tmpdir(), 'harvestman-test-'))
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'file'), 'open sesame')
  server = createServer((socket) => {
    contacts += 1
    socket.end('open sesame')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = join(folder, 'socket')
  const local = createServer((one) => {
    contacts += 1
    one.end('open sesame')
  })
  await new Promise<void>((resolve) => local.listen(socket, resolve))
  chmodSync(socket, 0o777)
  server.once('close', () => local.close())
  place = { file: join(folder, 'file'), socket, port: (server.address() as AddressInfo).port, pid: process.pid }
  sandbox = localSandbox({ bound })
  jail = await sandbox.open({ connect: noBrowser }, soon())
})

afterAll(async () => {
  delete process.env['HARVESTMAN_TEST_SECRET']
  await sandbox.close()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

/** What each language tries. A probe that gets through prints OPEN; one that is refused prints nothing of the kind. */
type Probe = (where: typeof place) => Readonly<Record<CodeLanguage, string>>

const js = (attempt: string): string =>
  `try { ${attempt}; console.log('OPEN') } catch (error) { console.log('no', error.message) }`
const py = (attempt: string): string =>
  `import os, socket, ctypes\ntry:\n${attempt.replaceAll(/^/gm, '  ')}\n  print('OPEN')\nexcept BaseException as error:\n  print('no', error)`
const sh = (attempt: string): string => `if ${attempt}; then echo OPEN; else echo no; fi`

const reads = (path: (where: typeof place) => string): Probe => {
  return (where) => ({
    node: js(`require('fs').readFileSync(${JSON.stringify(path(where))})`),
    python: py(`open(${JSON.stringify(path(where))}).read()`),
    bash: sh(`cat '${path(where)}' > /dev/null`),
  })
}

const opens = (path: string, how: 'r' | 'r+'): Probe => {
  return () => ({
    node: js(`require('fs').openSync('${path}', '${how}')`),
    python: py(`open('${path}', '${how}b', buffering=0)`),
    bash: sh(`( exec 9<${how === 'r' ? '' : '>'} ${path} ) 2> /dev/null`),
  })
}

const connects = (host: string, port: (where: typeof place) => number): Probe => {
  return (where) => ({
    node: js(
      `await new Promise((good, bad) => { const s = require('net').connect({ host: '${host}', port: ${port(where)}, timeout: 1500 }); s.on('connect', good).on('error', bad).on('timeout', bad) })`,
    ),
    python: py(`socket.create_connection(('${host}', ${port(where)}), 1.5)`),
    bash: sh(`timeout 2 bash -c 'exec 9<>/dev/tcp/${host}/${port(where)}'`),
  })
}

const calls = (number: number, ...args: readonly (number | string)[]): string =>
  `libc = ctypes.CDLL(None, use_errno=True)\nif libc.syscall(${[number, ...args].join(', ')}) < 0: raise OSError(ctypes.get_errno())`

const throughPython = (attempt: string): string => {
  const text = JSON.stringify(py(attempt))
  return `const r = require('child_process').spawnSync('python3', ['-c', ${text}]); console.log(String(r.stdout))`
}

const system = (attempt: string, command: string): Probe => {
  return () => ({ node: throughPython(attempt), python: py(attempt), bash: sh(command) })
}

const probes: Readonly<Record<string, Probe>> = {
  'the list of users': reads(() => '/etc/passwd'),
  'a file of the host that all may read': reads(({ file }) => file),
  'the environment of this process': reads(({ pid }) => `/proc/${pid}/environ`),
  'the root folder by way of the first process': reads(() => '/proc/1/root/etc/passwd'),
  'the files of the engine': reads(() => import.meta.filename),
  'a server on the loopback of the host': connects('127.0.0.1', ({ port }) => port),
  'a server by the address of the metadata service': connects('169.254.169.254', () => 80),
  'a server on the internet': connects('1.1.1.1', () => 80),
  'a name server, by UDP': () => ({
    node: js(
      `await new Promise((good, bad) => { const s = require('dgram').createSocket('udp4'); s.on('error', bad).send('x', 53, '1.1.1.1', (error) => (error ? bad(error) : good())) })`,
    ),
    python: py(`socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('1.1.1.1', 53))`),
    bash: sh(`bash -c 'echo x > /dev/udp/1.1.1.1/53'`),
  }),
  'a socket of the host': ({ socket }) => ({
    node: js(
      `await new Promise((good, bad) => require('net').connect(${JSON.stringify(socket)}).on('connect', good).on('error', bad))`,
    ),
    python: py(`socket.socket(socket.AF_UNIX).connect(${JSON.stringify(socket)})`),
    bash: sh(`test -S '${socket}'`),
  }),
  'processes of the host': ({ pid }) => ({
    node: js(`process.kill(${pid}, 0)`),
    python: py(`os.kill(${pid}, 0)`),
    bash: sh(`kill -0 ${pid} 2> /dev/null`),
  }),
  'writing beside its own folder': () => ({
    node: js(`require('fs').writeFileSync('/usr/bin/mine', '')`),
    python: py(`open('/opt/mine', 'w')`),
    bash: sh(`touch /mine /etc/mine /dev/mine /usr/mine`),
  }),
  'writing into the files that it runs from': () => ({
    node: js(`require('fs').appendFileSync('/opt/harvestman/jail/supervisor.mjs', ' ')`),
    python: py(`open('/opt/harvestman/jail/supervisor.mjs', 'a').write(' ')`),
    bash: sh(`echo >> /opt/harvestman/jail/supervisor.mjs`),
  }),
  'becoming another user': system('os.setuid(0)', 'setpriv --reuid 0 true 2> /dev/null'),
  'new name spaces': system(calls(272, 0x10000000), 'unshare --user true 2> /dev/null'),
  'a mount': system(calls(165, 0, "b'/tmp'", "b'tmpfs'", 0, 0), 'mount -t tmpfs none /tmp 2> /dev/null'),
  'tracing a process': system(
    calls(101, 16, 1, 0, 0),
    'python3 -c "import ctypes,sys; sys.exit(ctypes.CDLL(None).ptrace(16,1,0,0) != 0)"',
  ),
  'reading the memory of a process': system(calls(310, 1, 0, 0, 0, 0, 0), 'cat /proc/1/mem > /dev/null 2>&1'),
  // The first process, and the one that tells the engine how a run has ended.
  ...Object.fromEntries(
    [1, 2].flatMap((pid) => [
      [`reading the memory of process ${pid}`, opens(`/proc/${pid}/mem`, 'r')],
      [`writing the memory of process ${pid}`, opens(`/proc/${pid}/mem`, 'r+')],
      [`the map of the memory of process ${pid}`, reads(() => `/proc/${pid}/maps`)],
      [`the files that process ${pid} has open`, reads(() => `/proc/${pid}/fd/1`)],
    ]),
  ),
  'the keys of the kernel': system(calls(250, 0, -3, 0), 'keyctl show 2> /dev/null'),
  io_uring: system(calls(425, 8, 'ctypes.create_string_buffer(200)'), 'false'),
  'memory of a file without a name': system(calls(319, "b'x'", 0), 'false'),
  'memory of a segment': system(calls(29, 0, 4096, '0o1600'), 'ipcmk -M 4096 > /dev/null 2>&1'),
  'semaphores of System V': system(calls(64, 0, 1, '0o1600'), 'ipcmk -S 1 > /dev/null 2>&1'),
  'messages of System V': system(calls(68, 0, '0o1600'), 'ipcmk -Q > /dev/null 2>&1'),
  'queues of POSIX': system(calls(240, "b'x'", '0o102', '0o600', 0), 'false'),
  'pages in a pipe': system(calls(278, 'os.pipe()[1]', 0, 0, 0), 'false'),
  'the list of interfaces': system('socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)', 'false'),
  'another personality': system(calls(135, '0x0040000'), 'setarch -R true 2> /dev/null'),
  'segments of the processor': system(calls(154, 0, 'ctypes.create_string_buffer(100)', 100), 'false'),
  'programs of the host that it has no use for': () => ({
    node: js(`require('fs').readFileSync('/usr/bin/mount')`),
    python: py(`open('/usr/bin/dpkg').read(1)`),
    bash: sh(`test -e /usr/bin/perl -o -e /usr/share/doc -o -e /usr/bin/su`),
  }),
  bpf: system(calls(321, 0, 'ctypes.create_string_buffer(200)', 100), 'false'),
  userfaultfd: system(calls(323, 1), 'false'),
}

const rows = Object.entries(probes).flatMap(([name, probe]) =>
  languages.map((language): [string, CodeLanguage, Probe] => [name, language, probe]),
)

describe('code in a jail is refused', () => {
  test.each(rows)('%s (%s)', async (_name, language, probe) => {
    const { stdout, killed } = await run(jail, language, probe(place)[language])
    expect(killed).toBe(false)
    expect(stdout.trim()).toMatch(/^no/)
  })

  test('each of them in every language: nobody was reached', () => {
    expect(contacts).toBe(0)
  })

  test.each([
    ['node', 'JSON.stringify(process.env)'],
    ['python', 'import os\nstr(dict(os.environ))'],
    ['bash', 'env'],
  ] as const)('the variables of this process (%s)', async (language, code) => {
    const { stdout, result = '' } = await run(jail, language, code)
    expect(stdout + result).toMatch(/HOME/)
    expect(stdout + result).not.toMatch(/sesame|TEST_SECRET|VITEST/)
  })

  test('with a probe that would see it: outside of a jail the same attempt gets through', async () => {
    const open = localSandbox({ mode: 'unsafe-process' })
    const outside = await open.open({ connect: noBrowser }, soon())
    const { stdout } = await run(outside, 'python', reads(({ file }) => file)(place).python)
    await open.close()
    expect(stdout.trim()).toBe('OPEN')
  })
})
