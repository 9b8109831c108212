import { useContext } from 'preact/hooks'

import { shown } from '../lib/format.ts'
import { Faults, isAt } from '../lib/faults.ts'

/** What an input says of itself when the server has refused its value. */
export interface AriaOfFault {
  readonly 'aria-invalid'?: 'true'
  readonly 'aria-describedby'?: string
}

/** What is wrong with a field: `whole` leaves out what is wrong with a part of it that has a field of its own. */
export function useFault(
  id: string,
  extent: 'whole' | 'parts' = 'parts',
): { readonly aria: AriaOfFault; readonly message: string | undefined } {
  const message = useContext(Faults).find((fault) => (extent === 'whole' ? fault.id === id : isAt(id, fault)))?.message
  const aria = message === undefined ? {} : ({ 'aria-invalid': 'true', 'aria-describedby': `${id}-refused` } as const)
  return { aria, message }
}

/** The sentence below a field. */
export function FaultLine({ id }: { readonly id: string }) {
  const { message } = useFault(id)
  if (message === undefined) return null
  return (
    <span class="small error" id={`${id}-refused`}>
      {shown(message)}
    </span>
  )
}
