import { createClient, HarvestmanError } from '@harvestman/client'
import { EngineError } from '@harvestman/ports'
import { unknownName } from '@harvestman/toolbox/choices'

import { addressOf, local, readServers, writeServers, type Server } from './servers.ts'
import { exitCodes, type Shell } from './shell.ts'

export interface LoginFlags {
  readonly key?: string
  readonly name?: string
}

/**
 * Stores a server and its key, and makes it the default of commands. Resolves to the exit code. Rejects, and stores nothing,
 * with `invalid_request` if the URL or name is invalid, `unauthorized` if the server does not accept the key, and a
 * `HarvestmanError` if it does not respond in 15 seconds.
 */
export async function login(address: string, flags: LoginFlags, shell: Shell): Promise<number> {
  const url = addressOf(address)
  const key = flags.key === '-' ? Buffer.from(shell.stdin()).toString('utf8').trim() : flags.key
  const name = flags.name ?? new URL(url).host
  if (name === local || !/^[\w.:-]{1,100}$/.test(name)) {
    throw new EngineError(
      'invalid_request',
      `--name "${name}" is already used, or not one word. Choose another, as in --name work.`,
    )
  }
  const server: Server = { url, ...(key !== undefined && { key }) }
  await check(server)
  const { servers } = readServers(shell)
  writeServers({ current: name, servers: { ...servers, [name]: server } }, shell)
  shell.err(`Logged in to ${url} as "${name}". Commands use it from now on; --server local runs them here.\n`)
  return exitCodes.done
}

/** Verifies URL and key now, so that a mistake does not surface with the first page. */
async function check({ url, key }: Server): Promise<void> {
  try {
    await createClient({ url, key, retries: 1 }).team.usage({ signal: AbortSignal.timeout(15_000) })
  } catch (error) {
    if (error instanceof HarvestmanError && error.status === 401) {
      const message = key === undefined ? 'The server needs a key: --key <key>.' : 'The server does not know this key.'
      throw new EngineError('unauthorized', message, { cause: error })
    }
    throw error
  }
}

/**
 * Removes a stored server; by default the current one, after which commands run here. Returns the exit code. Throws
 * `invalid_request` if there is none.
 */
export function logout(named: string | undefined, shell: Shell): number {
  const { current, servers } = readServers(shell)
  const name = named ?? current
  if (name === undefined || !Object.hasOwn(servers, name)) {
    throw new EngineError(
      'invalid_request',
      name === undefined ? 'No server is stored.' : unknownName('server', name, Object.keys(servers)),
    )
  }
  const { [name]: _, ...others } = servers
  writeServers({ servers: others, ...(current !== undefined && current !== name && { current }) }, shell)
  shell.err(`Removed "${name}".\n`)
  return exitCodes.done
}

/**
 * Lists the stored servers, or changes the default server of commands; `local` runs them here. Returns the exit code. Throws
 * `invalid_request` for an unknown name.
 */
export function servers(named: string | undefined, shell: Shell): number {
  const known = readServers(shell)
  if (named !== undefined) {
    if (named !== local && !Object.hasOwn(known.servers, named)) {
      throw new EngineError('invalid_request', unknownName('server', named, [...Object.keys(known.servers), local]))
    }
    writeServers({ servers: known.servers, ...(named !== local && { current: named }) }, shell)
    shell.err(named === local ? 'Commands run here, without a server.\n' : `Commands use "${named}".\n`)
    return exitCodes.done
  }
  const rows = Object.entries(known.servers).map(([name, { url }]) => [name, url] as const)
  for (const [name, url] of [...rows, [local, 'this machine'] as const]) {
    shell.out(`${name === (known.current ?? local) ? '*' : ' '} ${name}  ${url}\n`)
  }
  return exitCodes.done
}
