import net from 'node:net'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { EngineError } from '@harvestman/ports'
import type { ControlGroup } from '@harvestman/toolbox/control-groups/groups'

import { inside, withRight } from './bubblewrap.ts'
import { asFirst, launchInJail, type LaunchOptions } from './launch.ts'
import { cannotStart } from './refusals.ts'

const answersWithin = 15_000

/**
 * Starts a jail and attempts forbidden actions from inside: reading a world-readable file of the host, connecting to a server
 * on the host, creating namespaces, and inspecting the first process of the jail. Rejects with `not_configured` if one of them
 * succeeds, or if the jail cannot be started.
 */
export async function probe(program: string, options: LaunchOptions, group?: ControlGroup): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-probe-'))
  const secret = join(folder, 'secret')
  writeFileSync(secret, 'open')
  chmodSync(folder, 0o755)
  chmodSync(secret, 0o644)
  const server = net.createServer((socket) => socket.end('open'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const open = await tryFromInside(program, options, [secret, String(port)], group)
    if (open.length > 0) throw notTight(open)
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function tryFromInside(
  program: string,
  options: LaunchOptions,
  args: readonly string[],
  group?: ControlGroup,
): Promise<readonly string[]> {
  // Like code, but without the supervisor.
  const command = [...asFirst, ...withRight('node'), inside.node, `${inside.runner}/probe.mjs`, ...args]
  const { child, clear } = launchInJail(program, options, group, command)
  let output = ''
  let words = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-10_000)))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (words = (words + text).slice(-2_000)))
  const timer = setTimeout(() => child.kill('SIGKILL'), answersWithin)
  await new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', (error) => {
      words += error.message
      resolve()
    })
  })
  clearTimeout(timer)
  await clear()
  const answer = /^probe (\[.*\])$/m.exec(output)
  if (!answer) throw cannotStart(words)
  return JSON.parse(answer[1] ?? '[]') as string[]
}

function notTight(open: readonly string[]): EngineError {
  return new EngineError(
    'not_configured',
    `The sandbox for code was started, but from inside it one can ${open.join(', ')}. It is not used. Update bubblewrap and the kernel.`,
    { details: { port: 'sandbox' } },
  )
}
