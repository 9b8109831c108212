// The operations behind the script endpoints. Input is already validated.
import { missingPort, type EndpointCall, type FeatureKit, type Port } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import type { z } from 'zod'

import type { ScriptBrowser, ScriptBrowsers, SiteLimits } from './browsers.ts'
import { catalogIn, type Catalog } from './kept/catalog.ts'
import { openTabs } from './page/tabs.ts'
import { compile } from './record/compile.ts'
import { listenTo, type Recorder } from './record/recorder.ts'
import { watchTaskSecrets, type TaskSecrets } from './record/task-secrets.ts'
import type { newScriptSchema, recordingSchema, runScriptSchema } from './requests.ts'
import type { KeptScript, ScriptRun } from './script/results.ts'
import { siteOf } from './run/site.ts'
import { runScript, type RunResult } from './run/run.ts'
import { checkParameters } from './script/parameters.ts'
import type { Script, Values } from './script/schema.ts'
import { withSecrets } from './script/secrets.ts'

const maxRecordings = 100
const answersWithin = 60_000

/** Context of the script endpoints. */
export interface OpenScripts {
  readonly kit: FeatureKit
  readonly recordings: ReturnType<typeof makeRecordings>
  catalogOf(team: string): Catalog
  /** Finds a live browser. Throws unless the caller has access to the `interact` group. */
  find(session: string, call: EndpointCall['call']): Promise<ScriptBrowser>
  live(): ScriptBrowsers
}

/** Opens the scripts of an engine. Using a live browser rejects with `not_configured` without the service of the port. */
export function openScripts(kit: FeatureKit, browsers: Port<ScriptBrowsers>): OpenScripts {
  const live = (): ScriptBrowsers => {
    const found = kit.port(browsers)
    if (found) return found
    throw missingPort(browsers, 'engine.scripts', { subject: 'A script' })
  }
  return {
    ...{ kit, live, recordings: makeRecordings(kit) },
    catalogOf: (team) => catalogIn(kit.storeOf(team), () => kit.clock.now()),
    find: async (session, call) => {
      kit.checkGroup('interact', call)
      return live().find(session, { team: call.team })
    },
  }
}

type Call<Input> = EndpointCall<Readonly<Record<string, string>>, Input>

/**
 * Starts a recording in a live browser, in place of an earlier one there. Rejects if the browser does not exist, with
 * `conflict` if 100 recordings are running, and with `timeout` after 60 seconds.
 */
export async function beginRecording(
  { find, recordings }: OpenScripts,
  { input, call, signal }: Call<z.output<typeof recordingSchema>>,
): Promise<void> {
  await recordings.begin(await find(input.session, call), within(signal, answersWithin))
}

/**
 * Saves and ends the recording of a live browser, or saves a given script. A script with the same name gets a new version.
 * Rejects with `not_found` if there is no recording, `invalid_request` if nothing was recorded or the parameters do not fit,
 * and `conflict` if the team has 500 scripts.
 */
export async function saveScript(
  { catalogOf, find, recordings }: OpenScripts,
  { input, team, call, signal }: Call<z.output<typeof newScriptSchema>>,
): Promise<KeptScript> {
  const { name, session, script, parameters, secrets } = input
  if (script) {
    checkParameters(script)
    return catalogOf(team).put(name, script, 'edited')
  }
  const found = await find(session ?? '', call)
  const made = await recordings.take(found, within(signal, answersWithin), parameters, secrets)
  return catalogOf(team).put(name, made, 'recorded')
}

/**
 * Runs a script. Rejects with `action_failed` at the first step that does not go as recorded; `details` describes the page.
 * Rejects with `not_found` if there is no such script, `invalid_request` for wrong values, and `timeout` after `input.timeout`
 * milliseconds. Without a session, it opens a live browser, with the profile of the
 * input, and stops it afterwards.
 */
export async function runStored(
  { kit, catalogOf, find, live }: OpenScripts,
  name: string,
  { input, team, call, signal: callerSignal }: Call<z.output<typeof runScriptSchema>>,
): Promise<ScriptRun> {
  const stored = await catalogOf(team).get(name, input.version)
  const signal = within(callerSignal, input.timeout)
  const own = input.session === undefined ? undefined : await find(input.session, call)
  const session = own ?? (await live().open({ ttl: 600, profile: input.profile }, { ...call, signal }))
  try {
    const result = await runIn(session, stored.script, input.parameters, input, kit, signal)
    const repaired = await keepRepairs(catalogOf(team), stored, result)
    return { ...result, name, version: stored.version, ...(repaired && { repairedTo: repaired.version }) }
  } finally {
    if (!own) await session.stop()
  }
}

async function runIn(
  session: ScriptBrowser,
  script: Script,
  values: Values,
  options: { readonly repair: boolean; readonly stepTimeout: number },
  { clock }: FeatureKit,
  callerSignal: AbortSignal,
): Promise<RunResult> {
  const signal = AbortSignal.any([callerSignal, session.closed])
  const confinement = session.confine(siteOf(script))
  try {
    return await runConfined(session, script, values, options, { clock, signal, confinement })
  } finally {
    confinement.release()
  }
}

interface Confined {
  readonly clock: FeatureKit['clock']
  readonly signal: AbortSignal
  readonly confinement: SiteLimits
}

async function runConfined(
  session: ScriptBrowser,
  script: Script,
  values: Values,
  options: { readonly repair: boolean; readonly stepTimeout: number },
  { clock, signal, confinement }: Confined,
): Promise<RunResult> {
  await using tabs = await openTabs(await session.connect(), signal)
  const keys = {
    press: (key: string, within: AbortSignal) => session.act({ type: 'press', key }, { signal: within }),
    goto: (url: string, within: AbortSignal) => session.act({ type: 'goto', url }, { signal: within }),
  }
  // Awaited here, because the tabs are released on return.
  return await runScript(script, values, { tabs, keys, clock, signal, takeRefused: confinement.takeRefused }, options)
}

/** Stores the repairs of a successful run. */
async function keepRepairs(
  catalog: Catalog,
  stored: KeptScript,
  { repairs }: RunResult,
): Promise<KeptScript | undefined> {
  if (repairs.length === 0) return undefined
  const steps = stored.script.steps.map((step, index) => {
    const repair = repairs.find((one) => one.step === index + 1)
    return repair ? { ...step, target: repair.after } : step
  })
  return catalog.repair(stored.name, stored.version, { ...stored.script, steps }, repairs)
}

interface Recording {
  readonly recorder: Recorder
  readonly secrets: TaskSecrets
}

/** Recordings of this engine by session id. A session belongs to one team. */
function makeRecordings({ clock }: Pick<FeatureKit, 'clock'>) {
  const open = new Map<string, Recording>()
  // A second start for the same session would leave the connection of the first one open.
  const starting = new Set<string>()
  const end = async (id: string): Promise<void> => {
    const recording = open.get(id)
    open.delete(id)
    recording?.secrets.stop()
    await recording?.recorder[Symbol.asyncDispose]()
  }
  const start = async (session: ScriptBrowser, signal: AbortSignal): Promise<void> => {
    await end(session.id)
    const tabs = await openTabs(await session.connect(), signal)
    const secrets = watchTaskSecrets(session)
    try {
      open.set(session.id, { recorder: await listenTo(tabs, clock, signal, secrets), secrets })
    } catch (error) {
      secrets.stop()
      await tabs[Symbol.asyncDispose]()
      throw error
    }
    if (session.closed.aborted) await end(session.id)
    session.closed.addEventListener('abort', () => void end(session.id), { once: true })
  }
  return {
    begin: async (session: ScriptBrowser, signal: AbortSignal): Promise<void> => {
      if (starting.has(session.id))
        throw new EngineError('conflict', 'A recording of this live browser is starting. Try again.')
      const running = open.size + starting.size
      if (running >= maxRecordings && !open.has(session.id))
        throw new EngineError('conflict', `${running} recordings are running, which is the maximum. End one first.`)
      starting.add(session.id)
      try {
        await start(session, signal)
      } finally {
        starting.delete(session.id)
      }
    },
    take: async (session: ScriptBrowser, signal: AbortSignal, values: Values, secrets: readonly string[]) => {
      const recording = open.get(session.id)
      if (!recording) throw new EngineError('not_found', 'This live browser has no recording. Start one first.')
      const script = compile(await recording.recorder.heard(signal), values, secrets)
      const ofTasks = recording.secrets.values()
      const names = Object.keys(ofTasks).filter((name) => Object.hasOwn(script.parameters, name))
      const made = withSecrets(script, { ...ofTasks, ...values }, [...new Set([...secrets, ...names])])
      checkParameters(made)
      await end(session.id)
      return made
    },
    close: async (): Promise<void> => {
      await Promise.all([...open.keys()].map(end))
    },
  }
}

/** Adds a timeout to a signal, with an error that names it. */
function within(signal: AbortSignal, timeout: number): AbortSignal {
  const late = new AbortController()
  AbortSignal.timeout(timeout).addEventListener('abort', () =>
    late.abort(
      new EngineError(
        'timeout',
        `The run took longer than ${timeout} ms. Raise "timeout", or run fewer steps at once.`,
      ),
    ),
  )
  return AbortSignal.any([signal, late.signal])
}
