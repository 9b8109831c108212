import { useContext } from 'preact/hooks'

import { shown } from '../lib/format.ts'
import { Faults, isAt } from '../lib/faults.ts'

/** ARIA attributes of an input whose value the server has rejected. */
export interface AriaOfFault {
  readonly 'aria-invalid'?: 'true'
  readonly 'aria-describedby'?: string
}

/** Returns the error of a field. With `whole`, errors of nested fields that have their own input are excluded. */
export function useFault(
  id: string,
  extent: 'whole' | 'parts' = 'parts',
): { readonly aria: AriaOfFault; readonly message: string | undefined } {
  const message = useContext(Faults).find((fault) => (extent === 'whole' ? fault.id === id : isAt(id, fault)))?.message
  const aria = message === undefined ? {} : ({ 'aria-invalid': 'true', 'aria-describedby': `${id}-refused` } as const)
  return { aria, message }
}

/** The error message below a field. */
export function FaultLine({ id }: { readonly id: string }) {
  const { message } = useFault(id)
  if (message === undefined) return null
  return (
    <span class="small error" id={`${id}-refused`}>
      {shown(message)}
    </span>
  )
}
