// Scripts as a feature of an engine: recorded in a live browser, kept for a team, run again without a model.
import {
  check,
  defineFeature,
  definePlugin,
  missingPort,
  type FeatureCall,
  type FeatureKit,
} from '@harvestman/core/plugin'
import { livePort, type Confinement, type Live, type LiveSession } from '@harvestman/live'
import { EngineError } from '@harvestman/ports'

import { catalogIn, type KeptScript, type ScriptHistory, type ScriptVersion, type Catalog } from './kept/catalog.ts'
import { openTabs } from './page/tabs.ts'
import { compile } from './record/compile.ts'
import { listenTo, type Recorder } from './record/recorder.ts'
import { newScriptSchema, recordingSchema, runScriptSchema, type NewScript, type RunScript } from './requests.ts'
import { siteOf } from './run/site.ts'
import { runScript, type RunResult } from './run/run.ts'
import { checkParameters } from './script/parameters.ts'
import type { Script, Values } from './script/schema.ts'
import { withSecrets } from './script/secrets.ts'

type OfTeam = Pick<FeatureCall, 'team'>
type Cancellable = FeatureCall & { readonly signal?: AbortSignal | undefined }

/** What came of a run. */
export interface ScriptRun extends RunResult {
  readonly name: string
  /** The version that was run. */
  readonly version: number
  /** The version that its repairs have made. */
  readonly repairedTo?: number
}

/** The scripts of an engine. */
export interface Scripts extends AsyncDisposable {
  /** Begins to record what is done in a live browser, by whichever hand. `save` ends it. */
  record(request: { readonly session: string }, call?: Cancellable): Promise<void>
  /** Keeps a script: what was recorded in a session, or one that is given. A name that is taken gets a new version. */
  save(request: NewScript, call?: Cancellable): Promise<KeptScript>
  /** Those of your team, by name. */
  list(call?: OfTeam): Promise<readonly ScriptVersion[]>
  get(name: string, options?: { readonly version?: number | undefined }, call?: OfTeam): Promise<KeptScript>
  /** The versions and repairs of a script, the newest first. */
  history(name: string, call?: OfTeam): Promise<ScriptHistory>
  /** Runs a script. Rejects with `action_failed` at the first step that does not go as recorded: `details` has what was seen. */
  run(name: string, request?: RunScript, call?: Cancellable): Promise<ScriptRun>
  delete(name: string, call?: FeatureCall): Promise<void>
}

const mostRecordings = 100
const answersWithin = 60_000

/** Scripts for an engine: `createEngine({ plugins: [live({ sessions }), scripts()] })` has `engine.scripts`. */
export function scripts() {
  const feature = defineFeature({
    name: 'scripts',
    activities: { script: 'scripts' },
    open: (kit) => openScripts(kit),
    close: async (value) => value[Symbol.asyncDispose](),
  })
  return definePlugin({ name: 'scripts', features: [feature] })
}

/** What `scripts` adds to an engine. */
export type ScriptsPlugin = ReturnType<typeof scripts>

function openScripts(kit: FeatureKit): Scripts {
  const catalogOf = (team = kit.team): Catalog => catalogIn(kit.storeOf(team), () => kit.clock.now())
  const liveOf = (): Live => {
    const live = kit.port(livePort)
    if (live) return live
    throw missingPort(livePort, 'engine.scripts')
  }
  const recordings = makeRecordings(kit)
  const admit = <Result>(call: FeatureCall, input: unknown, work: (team: string) => Promise<Result>) =>
    kit.admit({ endpoint: 'script', input }, call, ({ team }) => work(team))
  // What is done in a live browser, or seen of it, needs the group that live browsers need.
  const find = async (session: string, team: string, call: FeatureCall): Promise<LiveSession> => {
    kit.checkGroup('interact', call)
    return liveOf().find(session, { team })
  }
  return {
    record: (request, call = {}) =>
      admit(call, {}, async (team) => {
        const { session } = check(recordingSchema, request)
        await recordings.begin(await find(session, team, call), within(kit, answersWithin, call.signal))
      }),
    save: (request, call = {}) =>
      admit(call, {}, async (team) => {
        const { name, session, script, parameters, secrets } = check(newScriptSchema, request)
        if (script) {
          checkParameters(script)
          return catalogOf(team).put(name, script, 'edited')
        }
        const found = await find(session ?? '', team, call)
        const made = await recordings.take(found, within(kit, answersWithin, call.signal), parameters, secrets)
        return catalogOf(team).put(name, made, 'recorded')
      }),
    list: ({ team } = {}) => catalogOf(team).list(),
    get: (name, { version } = {}, { team } = {}) => catalogOf(team).get(name, version),
    history: (name, { team } = {}) => catalogOf(team).history(name),
    delete: (name, call = {}) => admit(call, { query: name }, (team) => catalogOf(team).delete(name)),
    run: (name, request = {}, call = {}) =>
      admit(call, { query: name }, async (team) => {
        const asked = check(runScriptSchema, request)
        const kept = await catalogOf(team).get(name, asked.version)
        const signal = within(kit, asked.timeout, call.signal)
        const given = asked.session === undefined ? undefined : await find(asked.session, team, call)
        const session = given ?? (await liveOf().open({ ttl: 600 }, { ...call, team, signal }))
        try {
          const result = await runIn(session, kept.script, asked.parameters, asked, kit, signal)
          const repaired = await keepRepairs(catalogOf(team), kept, result)
          const rest = { name, version: kept.version }
          return { ...result, ...rest, ...(repaired && { repairedTo: repaired.version }) }
        } finally {
          if (!given) await session.stop()
        }
      }),
    [Symbol.asyncDispose]: () => recordings.close(),
  }
}

async function runIn(
  session: LiveSession,
  script: Script,
  values: Values,
  options: { readonly repair: boolean; readonly stepTimeout: number },
  { clock }: FeatureKit,
  given: AbortSignal,
): Promise<RunResult> {
  const signal = AbortSignal.any([given, session.gone])
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
  readonly confinement: Confinement
}

async function runConfined(
  session: LiveSession,
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
  // Awaited here: the tabs are let go of when this returns.
  return await runScript(script, values, { tabs, keys, clock, signal, takeRefused: confinement.takeRefused }, options)
}

/** Repairs are kept when all of the run has gone well. */
async function keepRepairs(
  catalog: Catalog,
  kept: KeptScript,
  { repairs }: RunResult,
): Promise<KeptScript | undefined> {
  if (repairs.length === 0) return undefined
  const steps = kept.script.steps.map((step, index) => {
    const repair = repairs.find((one) => one.step === index + 1)
    return repair ? { ...step, target: repair.after } : step
  })
  return catalog.repair(kept.name, kept.version, { ...kept.script, steps }, repairs)
}

/** The recordings that are under way here, by the session. A session belongs to one team. */
function makeRecordings({ clock }: Pick<FeatureKit, 'clock'>) {
  const open = new Map<string, Recorder>()
  const end = async (id: string): Promise<void> => {
    const recorder = open.get(id)
    open.delete(id)
    await recorder?.[Symbol.asyncDispose]()
  }
  return {
    begin: async (session: LiveSession, signal: AbortSignal): Promise<void> => {
      if (open.size >= mostRecordings)
        throw new EngineError(
          'conflict',
          `${open.size} recordings are under way, the most there may be. End one first.`,
        )
      await end(session.id)
      const recorder = await listenTo(await openTabs(await session.connect(), signal), clock, signal)
      open.set(session.id, recorder)
      session.gone.addEventListener('abort', () => void end(session.id), { once: true })
    },
    take: async (session: LiveSession, signal: AbortSignal, values: Values, secrets: readonly string[]) => {
      const recorder = open.get(session.id)
      if (!recorder)
        throw new EngineError('not_found', 'Nothing is recorded in this live browser. Begin a recording first.')
      const script = compile(await recorder.heard(signal), values, secrets)
      const made = withSecrets(script, values, secrets)
      checkParameters(made)
      await end(session.id)
      return made
    },
    close: async (): Promise<void> => {
      await Promise.all([...open.keys()].map(end))
    },
  }
}

/** A signal that ends what takes too long as well, with an error that says so. */
function within({ signal }: FeatureKit, timeout: number, given: AbortSignal | undefined): AbortSignal {
  const late = new AbortController()
  AbortSignal.timeout(timeout).addEventListener('abort', () =>
    late.abort(new EngineError('timeout', `It took longer than ${timeout} ms. Raise "timeout", or do less at once.`)),
  )
  return AbortSignal.any([signal, late.signal, ...(given ? [given] : [])])
}
