import { openApi, readConfig } from '@harvestman/node'
import { serveMcpStdio, type McpOptions, type ToolSetName } from '@harvestman/tools/mcp'

import { ownVersion } from './own-version.ts'
import type { ServerFlags } from './server-options.ts'
import { serverFor } from './servers.ts'
import { onDisk, sources } from './settings.ts'
import { exitCodes, type Shell } from './shell.ts'
import { nextSignal } from './told.ts'

export interface McpFlags extends ServerFlags {
  readonly files?: string
  readonly tools?: readonly ToolSetName[]
  readonly set?: readonly string[]
  readonly allowPrivate?: string
  readonly config?: string
}

/**
 * Serves MCP tools over stdin and stdout until the client ends it or the process receives a stop signal. Logs go to stderr,
 * because stdout belongs to the protocol. Resolves to the exit code. Rejects if the server is unknown or the engine cannot be
 * opened.
 */
export async function mcp({ server, key, files, tools, ...flags }: McpFlags, shell: Shell): Promise<number> {
  const { ask, close } = await openTools({ server, key, ...flags }, shell)
  const served = serveMcpStdio({ ...ask, version: ownVersion(), filesIn: files, sets: tools })
  await Promise.race([served.ended, nextSignal(['SIGINT', 'SIGTERM'])])
  await served.close()
  await close()
  return exitCodes.done
}

interface Opened {
  readonly ask: McpOptions
  close(): Promise<void>
}

/** Uses a remote server if one is configured, else an engine in this process. */
async function openTools({ server, key, config: file, ...given }: McpFlags, shell: Shell): Promise<Opened> {
  const { store } = given
  const elsewhere = serverFor({ server, key, store }, shell)
  if (elsewhere) return { ask: { ask: (request) => fetch(request), ...elsewhere }, close: async () => undefined }
  const { config } = readConfig(sources(file, given, shell))
  const { ask, close } = await openApi(onDisk(config), { write: shell.err, plugins: shell.plugins ?? [] })
  return { ask: { ask }, close }
}
