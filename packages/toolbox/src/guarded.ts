import { EngineError } from '@harvestman/ports'

/**
 * Wraps a handler of external input for events that are not awaited: errors that it throws, or rejects with later, go to
 * `onFault` and no further. Without it a single message can end the process.
 */
export function guarded<Given extends readonly unknown[]>(
  handle: (...given: Given) => unknown,
  onFault: (fault: unknown) => void,
): (...given: Given) => void {
  const tell = (fault: unknown): void => {
    try {
      onFault(fault)
    } catch {
      // An error of `onFault` itself is ignored.
    }
  }
  return (...given) => {
    try {
      const done = handle(...given)
      if (done instanceof Promise) done.catch(tell)
    } catch (fault) {
      tell(fault)
    }
  }
}

const maxLength = 4_000

/**
 * Formats a thrown value as one line of an operator's log, of at most 4,000 characters. Includes the stack only if the message
 * does not explain the problem, and of a value that is not an error only its type.
 */
export function faultText(fault: unknown): string {
  const isExplained = EngineError.is(fault) && fault.code !== 'internal'
  const text =
    fault instanceof Error
      ? ((isExplained ? undefined : fault.stack) ?? fault.message)
      : `A value that is not an error was thrown (${typeof fault}).`
  return text.replaceAll(/\s*\n\s*/g, ' | ').slice(0, maxLength)
}
