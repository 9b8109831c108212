// Scopes of an API key, as given in the call. They apply with and without gates.
import { EngineError } from '@harvestman/ports'
import type { TeamCall } from '../plugin/admission.ts'
import type { Format } from '../plugin/field.ts'
import { endpointOf, type EndpointGroup } from '../schema/team.ts'

/**
 * Throws `scope_missing` if the scopes of the key do not include a group of endpoints. Without scopes, everything is allowed.
 */
export function checkGroupScope(group: EndpointGroup, { scopes }: Pick<TeamCall, 'scopes'>): void {
  if (!scopes?.groups || scopes.groups.includes(group)) return
  throw new EngineError('scope_missing', `This key may not call endpoints of the group ${group}. Use another key.`)
}

/**
 * Throws `scope_missing` if the scopes of the key do not include a kind of job. Needed to read a job, its pages or its
 * requests.
 */
export function checkJobScope(kind: string, call: Pick<TeamCall, 'scopes'>): void {
  checkGroupScope(endpointOf(kind), call)
}

/** Returns whether the scopes of a key include a kind of job. True without scopes. */
export function mayReadJob(kind: string, { scopes }: Pick<TeamCall, 'scopes'>): boolean {
  return scopes?.groups?.includes(endpointOf(kind)) ?? true
}

/**
 * Throws `scope_missing` if the scopes of the key do not include one of these formats or its group. Without scopes, everything
 * is allowed.
 */
export function checkFormatScope(
  formats: readonly { readonly type: string }[],
  call: TeamCall,
  known: readonly Pick<Format, 'type' | 'group'>[],
): void {
  const { scopes } = call
  for (const { type } of formats) {
    if (scopes?.formats && !scopes.formats.includes(type))
      throw new EngineError('scope_missing', `This key may not request the format ${type}. Use another key.`)
    const { group } = known.find((format) => format.type === type) ?? {}
    if (group !== undefined) checkGroupScope(group, call)
  }
}
