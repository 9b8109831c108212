// Features of plugins, which are opened and closed with the engine.
import { EngineError, type Store } from '@harvestman/ports'

import { errorMessage } from '@harvestman/toolbox/error-message'
import { noteWork } from './requests.ts'
import { methodsOf, serveFeature, type ServedFeature } from './served-features.ts'
import type { RequestGate } from '../gates/open-gates.ts'
import { checkGroupScope } from '../gates/scopes.ts'
import { someTeam } from './some-team.ts'
import { openHold } from '../credits/hold.ts'
import { isOwnerGone } from '@harvestman/coordination'
import type { Feature, FeatureEngine, FeatureKit } from '../plugin/feature.ts'
import type { Plugin } from '../plugin/parts.ts'
import type { Port } from '../plugin/port.ts'
import type { EngineKeeping, EngineLimits } from '../schema/engine-limits.ts'
import type { Kit } from '../scrape/kit.ts'

/** Features of an engine with these plugins, by name. */
export type FeaturesOf<Plugins extends readonly Plugin[]> = {
  readonly [
    One in Plugins[number]['features'][number] as string extends One['name'] ? never : One['name']
  ]: One extends Feature<string, infer Api> ? Api : never
}

export interface FeatureOptions extends Pick<
  FeatureKit,
  'findReplay' | 'groups' | 'webhookSecrets' | 'ownWork' | 'lock'
> {
  readonly kit: Kit
  readonly store: Store
  readonly limits: EngineLimits
  readonly keep: EngineKeeping
  readonly gate: RequestGate
  /** Services of the engine by port name. Services that features provide are added to it. */
  readonly ports: Map<string, unknown>
  readonly warn: (message: string) => void
}

/** Opened features of an engine. */
export interface OpenFeatures {
  /** Property of each feature, by its name. */
  readonly values: Readonly<Record<string, unknown>>
  /** Features with endpoints, by name. */
  readonly served: Readonly<Record<string, ServedFeature>>
  close(reason: EngineError): Promise<void>
}

/**
 * Opens the features of an engine. `members` are its other members. Throws `invalid_request` if the name of a feature is
 * invalid or the name of such a member, or if two endpoints have the same method and path; errors of a feature's `open` pass
 * through.
 */
export function openFeatures(members: FeatureEngine, options: FeatureOptions): OpenFeatures {
  const { features } = options.kit.registry
  for (const { name } of features) refuseName(name, members)
  refuseSharedPaths(features)
  const closing = new AbortController()
  const kitOf = kitMaker(members, options, closing.signal)
  const open = features.map((feature) => openOne(feature, kitOf(feature), options, closing.signal))
  options.kit.around.add(open)
  let closed: Promise<void> | undefined
  const closeAll = async (): Promise<void> => {
    for (const { feature, value } of open.toReversed()) await closeOne(feature, value, options.warn)
  }
  return {
    values: Object.fromEntries(open.map(({ feature, api }) => [feature.name, api])),
    served: Object.fromEntries(open.flatMap(({ feature, served }) => (served ? [[feature.name, served]] : []))),
    close: (reason) => {
      closing.abort(reason)
      return (closed ??= closeAll())
    },
  }
}

function openOne(feature: Feature, kit: FeatureKit, options: FeatureOptions, signal: AbortSignal) {
  const value = feature.open(kit)
  if (Object.keys(feature.endpoints).length === 0) return { feature, value, api: value, served: undefined }
  const plugin = options.kit.registry.ownerOf(feature)
  const served = serveFeature({ feature, plugin, value, gate: options.gate, prepare: options.kit.plugins.open, signal })
  return { feature, value, api: methodsOf(served, value), served }
}

/** Closes a feature. A failure is reported as a warning, so that the other features are closed as well. */
async function closeOne(feature: Feature, value: unknown, warn: (message: string) => void): Promise<void> {
  try {
    await feature.close?.(value)
  } catch (error) {
    warn(`${feature.name} could not be closed: ${errorMessage(error)}`)
  }
}

/** Throws if a feature cannot have this name. With a property `then`, the engine would be treated as a promise. */
function refuseName(name: string, members: object): void {
  if (!/^[a-z][A-Za-z0-9]{0,63}$/.test(name))
    throw refused(name, 'must be a lowercase letter followed by up to 63 letters and digits')
  if (name === 'then' || name === 'features' || name in members) throw refused(name, 'is reserved. Choose another one')
}

/** Throws if two endpoints have the same method and path, since a server could reach only the first. */
function refuseSharedPaths(features: readonly Feature[]): void {
  const owners = new Map<string, string>()
  for (const { name, endpoints } of features) {
    for (const [key, { method, path, aliases }] of Object.entries(endpoints)) {
      for (const one of [path, ...aliases]) {
        const shape = `${method} ${one.replaceAll(/\{\w+\}/g, '{}')}`
        const owner = owners.get(shape)
        if (owner !== undefined)
          throw new EngineError(
            'invalid_request',
            `The endpoints ${owner} and ${name}.${key} both have the path ${method} ${one}. Give one of them another path.`,
          )
        owners.set(shape, `${name}.${key}`)
      }
    }
  }
}

function refused(name: string, why: string): EngineError {
  return new EngineError('invalid_request', `The name of a feature, ${name}, ${why}.`)
}

function kitMaker(
  engine: FeatureEngine,
  options: FeatureOptions,
  signal: AbortSignal,
): (feature: Feature) => FeatureKit {
  const { kit, lock, store, limits, keep, groups, gate, ports, findReplay, warn, webhookSecrets, ownWork } = options
  const { clock, ledger, fetcher, guard, policies, sends: headers, registry, engine: owner, observer: observe } = kit
  const shared: Omit<FeatureKit, 'admit' | 'storeOf'> = {
    ...{ owner, isGone: isOwnerGone, store, clock, ledger, fetcher, guard, headers, policies },
    ...{ engine, actions: registry.actions, findReplay, limits, keep, groups, team: someTeam, observe, warn, signal },
    ...{ webhookSecrets, checkGroup: checkGroupScope, ownWork },
    lock,
    profiles: kit.profiles,
    work: async (work, run) => {
      kit.around.check(work.request)
      await kit.plugins.open()
      return kit.around.run(work, run)
    },
    hold: (work) => openHold(ledger, { ...work, by: owner }),
    // Cast: a provided service has the type of its port.
    port: <Service>({ name }: Port<Service>) => ports.get(name) as Service | undefined,
    provide: ({ name }, service) => {
      if (ports.has(name))
        throw new EngineError('invalid_request', `A plugin already provides ${name}. Remove one of the two plugins.`)
      ports.set(name, service)
    },
  }
  return (feature) => ({
    ...shared,
    storeOf: (team) => kit.pluginStores.of(registry.ownerOf(feature), team, true),
    admit: ({ endpoint, input, idOf }, call, work) => {
      const group = feature.activities[endpoint]
      if (group === undefined) throw new TypeError(`The feature ${feature.name} has no activity ${endpoint}.`)
      return noteWork(gate, { group, endpoint, idOf }, input, call, async (by) => {
        await kit.plugins.open()
        return work({ ...by, key: by.key, limits: by.limits })
      })
    },
  })
}
