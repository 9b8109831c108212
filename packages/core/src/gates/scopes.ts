// The scopes of a key, as the call has them. They hold with gates and without.
import { EngineError } from '@harvestman/ports'
import type { TeamCall } from '../plugin/admission.ts'
import type { Format } from '../plugin/field.ts'
import { endpointOf, type EndpointGroup } from '../schema/team.ts'

/** Refuses a key that is held to other groups of endpoints. */
export function checkGroupScope(group: EndpointGroup, { scopes }: Pick<TeamCall, 'scopes'>): void {
  if (!scopes?.groups || scopes.groups.includes(group)) return
  throw new EngineError('scope_missing', `This key may not call endpoints of the group ${group}. Use another key.`)
}

/** Refuses a key whose scopes lack the kind of a job: whoever reads a job, its pages or its requests needs that scope. */
export function checkJobScope(kind: string, call: Pick<TeamCall, 'scopes'>): void {
  checkGroupScope(endpointOf(kind), call)
}

/** Returns whether the scopes of a key have the kind of a job. */
export function mayReadJob(kind: string, { scopes }: Pick<TeamCall, 'scopes'>): boolean {
  return scopes?.groups?.includes(endpointOf(kind)) ?? true
}

/** Refuses what a key that is held to some formats, or groups, may not ask for, of one page or of each page of many. */
export function checkFormatScope(
  formats: readonly { readonly type: string }[],
  call: TeamCall,
  known: readonly Pick<Format, 'type' | 'group'>[],
): void {
  const { scopes } = call
  for (const { type } of formats) {
    if (scopes?.formats && !scopes.formats.includes(type))
      throw new EngineError('scope_missing', `This key may not ask for the format ${type}. Use another key.`)
    const { group } = known.find((format) => format.type === type) ?? {}
    if (group !== undefined) checkGroupScope(group, call)
  }
}
