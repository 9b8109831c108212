import { readFileSync, writeFileSync } from 'node:fs'

import { check } from '@harvestman/core/plugin'
import { suggestChoice } from '@harvestman/toolbox/choices'
import { EngineError } from '@harvestman/ports'
import type { LiveSession, Secret, TaskRun } from '@harvestman/live'
import { openEngine, readConfig } from '@harvestman/node'
import { scriptSchema, type Script, type ScriptRun } from '@harvestman/live/scripts'

import { liveShell } from './live-shell.ts'
import { pageOptions, type PageFlags } from './page-options.ts'
import { sources } from './settings.ts'
import { exitCodes, type Shell } from './shell.ts'
import { untilStopped } from './until-stopped.ts'

export interface InteractFlags extends Pick<
  PageFlags,
  'wait' | 'mobile' | 'header' | 'country' | 'proxy' | 'insecure' | 'actions'
> {
  readonly prompt?: string
  readonly code?: string
  readonly language?: string
  readonly script?: string
  readonly save?: string
  readonly allow?: readonly string[]
  readonly secret?: readonly string[]
  readonly timeout?: string
  readonly json?: boolean
  readonly allowPrivate?: string
  readonly config?: string
}

// Seconds. The maximum lifetime of a live browser, because the shell waits for a person.
const life = { ttl: 3_600, activityTtl: 3_600 }
const killedCode = 137

/**
 * Opens a page in a live browser and runs the task, code or script of the flags, or else an interactive shell. Resolves to the
 * exit code, that of the code if it ran some. Rejects with `invalid_request` for invalid flags, and if the page cannot be
 * loaded. The engine and its store exist only for this call.
 */
export async function interact(url: string, flags: InteractFlags, shell: Shell): Promise<number> {
  const work = workOf(flags, shell)
  const { config } = readConfig(sources(flags.config, { allowPrivate: flags.allowPrivate }, shell))
  // The caller already has full access to this host. The code still runs in a sandbox.
  const sandbox = config.sandbox === 'off' ? 'auto' : config.sandbox
  const { engine, close } = await openEngine({ ...config, sandbox, store: 'memory:', files: undefined, log: 'silent' })
  const open = async (signal: AbortSignal): Promise<number> => {
    const { prompt: _, timeout: __, ...page } = flags as PageFlags & InteractFlags
    const request = { ...pageOptions(page), formats: ['rawHtml'], url }
    const { metadata } = await engine.unchecked.scrape(request, { signal, keep: true })
    await using session = await engine.live.ofScrape(metadata.scrapeId, { ...life, signal })
    return await work({ session, scripts: engine.scripts, signal })
  }
  try {
    return await untilStopped(open, shell)
  } finally {
    await close()
  }
}

type Scripts = Awaited<ReturnType<typeof openEngine>>['engine']['scripts']

interface Opened {
  readonly session: LiveSession
  readonly scripts: Scripts
  readonly signal: AbortSignal
}

type Work = (opened: Opened) => Promise<number>

/** Returns the work to do. All flags are validated before a browser is opened. */
function workOf(flags: InteractFlags, shell: Shell): Work {
  const { prompt, code, script, allow, timeout } = flags
  if ([prompt, code, script].filter((one) => one !== undefined).length > 1)
    throw new EngineError('invalid_request', 'Give one of --prompt, --code and --script, or none for the shell.')
  const secrets = (flags.secret ?? []).map((text) => secretOf(text, shell))
  const time = timeout === undefined ? {} : { timeout: secondsOf(timeout) }
  if (prompt !== undefined)
    return async ({ session, scripts, signal }) => {
      if (flags.save !== undefined) await scripts.record({ session: session.id })
      const run = await session.ask(prompt, { timeout: 300_000, ...time, allow, secrets, signal })
      const code = tellRun(run, flags, shell)
      if (flags.save !== undefined) {
        const saved = await scripts.save({ name: savedName, session: session.id })
        write(flags.save, `${JSON.stringify(saved.script, null, 2)}\n`)
      }
      return code
    }
  if (script !== undefined) {
    const saved = withOrigins(readScript(script), secrets)
    return (opened) => repeat(saved, { secrets, timeout: 300_000, ...time }, opened, flags, shell)
  }
  if (code !== undefined) {
    const text = code === '-' ? Buffer.from(shell.stdin()).toString() : read('--code', code)
    const language = languageOf(flags.language, code)
    return async ({ session, signal }) => tellCode(await session.run(text, { language, ...time, signal }), flags, shell)
  }
  return ({ session, signal }) => liveShell(session, shell, { secrets, allow, signal })
}

/** Name of the script in the in-memory store of the command. */
const savedName = 'task'

interface Repeating {
  readonly secrets: readonly Secret[]
  readonly timeout: number
}

async function repeat(
  script: Script,
  { secrets, timeout }: Repeating,
  { session, scripts, signal }: Opened,
  { json }: InteractFlags,
  shell: Shell,
): Promise<number> {
  const supplied = secrets.filter(({ name }) => Object.hasOwn(script.parameters, name))
  const parameters = Object.fromEntries(supplied.map(({ name, value }) => [name, value]))
  await scripts.save({ name: savedName, script })
  const { steps, error } = await endOf(scripts.run(savedName, { session: session.id, parameters, timeout }, { signal }))
  tellSteps(steps, shell)
  if (error !== undefined) shell.err(`${error}\n`)
  const run = { success: error === undefined, error, steps, page: await session.snapshot({ signal }) }
  if (json) shell.out(`${JSON.stringify(run, null, 2)}\n`)
  return run.success ? exitCodes.done : exitCodes.fault
}

async function endOf(run: Promise<ScriptRun>): Promise<Pick<ScriptRun, 'steps'> & { readonly error?: string }> {
  try {
    return await run
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'action_failed') throw error
    // Cast: an error at a step has the completed steps in its details.
    return { steps: (error.details['done'] ?? []) as ScriptRun['steps'], error: error.message }
  }
}

function tellSteps(steps: ScriptRun['steps'], shell: Shell): void {
  for (const { action, element = '' } of steps) shell.err(`✓ ${action} ${element}`.trimEnd() + '\n')
}

/** Returns the script with the origins that the caller allows for its secrets. Origins in the file are ignored. */
function withOrigins(script: Script, secrets: readonly Secret[]): Script {
  const parameters = { ...script.parameters }
  for (const { name, origin } of secrets)
    if (Object.hasOwn(parameters, name)) parameters[name] = { type: 'text', secret: true, origin }
  return { ...script, parameters }
}

function tellRun(run: TaskRun, { json }: InteractFlags, shell: Shell): number {
  const { steps, success, answer, error } = run
  for (const { action, outcome, note } of steps) {
    const { type, ...rest } = action
    const values = Object.values(rest).map((value) =>
      typeof value === 'string' ? JSON.stringify(value) : String(value),
    )
    shell.err(
      `${outcome === 'done' ? '✓' : '✗'} ${[type, ...values].join(' ')}${outcome === 'done' ? '' : `  ${note}`}\n`,
    )
  }
  if (error !== undefined) shell.err(`${error}\n`)
  if (json) shell.out(`${JSON.stringify(run, null, 2)}\n`)
  else if (answer !== '') shell.out(`${answer}\n`)
  return success ? exitCodes.done : exitCodes.fault
}

type Ran = Awaited<ReturnType<LiveSession['run']>>

function tellCode(ran: Ran, { json }: InteractFlags, shell: Shell): number {
  const { stdout, stderr, result, exitCode, killed, error } = ran
  if (json) shell.out(`${JSON.stringify(ran, null, 2)}\n`)
  else {
    shell.out(stdout)
    if (result !== undefined) shell.out(`${result}\n`)
    shell.err(stderr)
    if (killed && error !== undefined) shell.err(`${error}\n`)
  }
  return exitCode ?? (killed ? killedCode : exitCodes.fault)
}

const languages = {
  node: 'node',
  js: 'node',
  mjs: 'node',
  python: 'python',
  py: 'python',
  bash: 'bash',
  sh: 'bash',
} as const

/** Returns the language by name or by file extension. */
function languageOf(named: string | undefined, file: string): 'node' | 'python' | 'bash' {
  const word = named ?? (file.includes('.') ? (file.split('.').at(-1) ?? '') : 'node')
  const found = Object.entries(languages).find(([name]) => name === word)?.[1]
  if (found) return found
  throw new EngineError(
    'invalid_request',
    `--language ${word} is not supported; ${suggestChoice(word, ['node', 'python', 'bash'])}.`,
  )
}

function secretOf(text: string, { env }: Shell) {
  const [name = '', origin = ''] = text.split(/@(.*)/s)
  const value = env[name]
  if (!/^[\w-]{1,64}$/.test(name) || URL.parse(origin)?.origin !== origin)
    throw new EngineError('invalid_request', `--secret ${text} is not NAME@ORIGIN, as in PASSWORD@https://example.com.`)
  if (value === undefined)
    throw new EngineError('invalid_request', `--secret ${text}: the variable ${name} is not set.`)
  return { name, value, origin }
}

function secondsOf(text: string): number {
  const seconds = Number(text)
  if (seconds >= 1 && seconds <= 3_600) return seconds * 1_000
  throw new EngineError('invalid_request', '--timeout must be 1 to 3600 seconds.')
}

function readScript(file: string): Script {
  try {
    return check(scriptSchema, JSON.parse(read('--script', file)))
  } catch (cause) {
    if (EngineError.is(cause)) throw cause
    throw new EngineError('invalid_request', `--script ${file} is not JSON. Pass a file that --save has written.`, {
      cause,
    })
  }
}

function read(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new EngineError('invalid_request', `${flag} ${file} cannot be read. Check its path.`, { cause })
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (cause) {
    throw new EngineError('invalid_request', `--save ${file} cannot be written. Check its folder and permissions.`, {
      cause,
    })
  }
}
