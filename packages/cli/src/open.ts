import { spawn } from 'node:child_process'

import { readConfig } from '@harvestman/node'

import { serve, type ServeFlags } from './serve.ts'
import { sources } from './settings.ts'
import { exitCodes, type Shell } from './shell.ts'

export interface OpenFlags extends ServeFlags {
  readonly print?: boolean
}

const timeout = 2_000

/**
 * Opens the web page of the server. If none is running, starts one in this process and resolves when it ends. With `--print`
 * the browser is not opened. Resolves to the exit code. Rejects if the configuration is invalid or the server cannot start.
 */
export async function open(flags: OpenFlags, shell: Shell): Promise<number> {
  const { print = false, config: file, ...given } = flags
  const { config } = readConfig(sources(file, given, shell))
  const host = /^(0\.0\.0\.0|::|)$/.test(config.host) ? '127.0.0.1' : config.host
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${config.port}/`
  if (await isOurs(url)) {
    shell.out(`${url}\n`)
    if (!print) show(url)
    return exitCodes.done
  }
  return serve(file === undefined ? given : { ...given, config: file }, shell, (started) => {
    shell.out(`${started}\n`)
    if (!print) show(started)
  })
}

async function isOurs(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(timeout) })
    return ((await answer.json()) as { readonly name?: unknown }).name === 'Harvestman'
  } catch {
    return false
  }
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens a URL in the default browser. Does nothing without a desktop, since the URL was printed. */
function show(url: string): void {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref()
}
