import { EngineError } from '../errors/error.ts'

/**
 * A handler of what comes from outside, for events that are not awaited: what it throws, at once or later, is told and goes
 * no further. Without it a single message can end the process.
 */
export function guarded<Given extends readonly unknown[]>(
  handle: (...given: Given) => unknown,
  onFault: (fault: unknown) => void,
): (...given: Given) => void {
  const tell = (fault: unknown): void => {
    try {
      onFault(fault)
    } catch {
      // A receiver of faults must not make one.
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

const mostText = 4_000

/** A fault for an operator's log, on one line. A stack only follows errors whose message does not explain the problem. */
export function faultText(fault: unknown): string {
  const isExplained = EngineError.is(fault) && fault.code !== 'internal'
  const text =
    fault instanceof Error
      ? ((isExplained ? undefined : fault.stack) ?? fault.message)
      : `Something that is no error was thrown (${typeof fault}).`
  return text.replaceAll(/\s*\n\s*/g, ' | ').slice(0, mostText)
}
