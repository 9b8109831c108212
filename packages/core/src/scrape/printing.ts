import type { Field, Format } from '../plugin/field.ts'
import type { Registry } from '../plugin/registry.ts'
import type { Caller } from './caller.ts'
import type { Plan, Reading } from './plan.ts'

/**
 * Lets what goes from the page into the document as it is be printed where it is read: off the main thread, which then
 * has neither the texts nor their printing.
 */
export function printing(plan: Plan, { mayPrint }: Caller, registry: Registry): Plan {
  if (!mayPrint) return plan
  const users = usersOf(plan, registry)
  const isOnlyNamed = ({ field }: Reading): boolean => {
    const [user, ...others] = users.get(field) ?? []
    return others.length === 0 && user !== undefined && isFormatOf(user, field) && !users.has(user.name)
  }
  const readings = plan.readings.map((reading) => (isOnlyNamed(reading) ? { ...reading, print: true } : reading))
  return { ...plan, readings }
}

/** For the name of each field that is needed, those that need it. */
function usersOf({ formats }: Plan, registry: Registry): ReadonlyMap<string, readonly Field[]> {
  const users = new Map<string, Field[]>()
  const visit = (user: Field): void => {
    for (const need of Object.values(user.needs)) {
      const field = registry.bind(need)
      const known = users.get(field.name)
      if (known?.includes(user)) continue
      users.set(field.name, [...(known ?? []), user])
      if (!known) visit(field)
    }
  }
  for (const { format } of formats) visit(format)
  return users
}

function isFormatOf(user: Field, field: string): boolean {
  return (user as Format).is?.name === field
}
