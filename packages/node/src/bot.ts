// Web Bot Auth of a server: signed requests, and the key directory.
import { EngineError } from '@harvestman/ports'
import type { Handler } from '@harvestman/http'
import { botAuth, botDirectory, botDirectoryPath, type BotAuthOptions } from '@harvestman/data/manners'
import type { Plugin } from '@harvestman/core/plugin'

import { environmentNames } from './setting-variables.ts'
import type { Config } from './settings.ts'
import type { Finding } from './finding.ts'

type BotConfig = Pick<Config, 'botKeys' | 'botAgent' | 'publicUrl' | 'userAgent'>

/** Returns the plugin that signs requests, if keys are configured. Throws `not_configured` or `invalid_request`. */
export function botPlugins(config: BotConfig): readonly Plugin[] {
  const identity = identityOf(config)
  return identity ? [botAuth(identity)] : []
}

/** Returns the handler of the key directory, if keys are configured. */
export function openBotDirectory(config: BotConfig): ((request: Request) => Response) | undefined {
  const identity = identityOf(config)
  return identity && botDirectory(identity)
}

/** Serves the key directory next to the API, to everyone. */
export function withBotDirectory(api: Handler, config: BotConfig): Handler {
  const directory = openBotDirectory(config)
  if (!directory) return api
  const handle: Handler = async (request, transport) =>
    new URL(request.url).pathname === botDirectoryPath ? directory(request) : api(request, transport)
  return Object.assign(handle, api)
}

/** Reports whether requests are signed. */
export function bot(config: BotConfig): Finding {
  const name = 'bot'
  const identity = identityOf(config)
  if (!identity) return { name, state: 'good', message: 'requests are not signed' }
  botAuth(identity)
  const directory = new URL(botDirectoryPath, identity.agent).href
  return { name, state: 'good', message: `requests are signed; the key directory is ${directory}` }
}

function identityOf({ botKeys: keys, botAgent, publicUrl, userAgent }: BotConfig): BotAuthOptions | undefined {
  if (keys.length === 0) return undefined
  const agent = botAgent ?? publicUrl
  if (agent === undefined) throw lacks('the origin that serves its key directory', environmentNames.botAgent[0])
  if (userAgent === undefined) throw lacks('a user agent that names it', environmentNames.userAgent[0])
  return { keys, agent, userAgent }
}

function lacks(what: string, variable: string | undefined): EngineError {
  return new EngineError('not_configured', `botKeys: a bot that signs its requests needs ${what}. Set ${variable}.`)
}
