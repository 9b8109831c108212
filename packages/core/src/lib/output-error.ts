import { EngineError } from '@harvestman/ports'
import type { z } from 'zod'

/** Creates the error `internal` for a plugin's result that does not fit its schema. `subject` names the plugin's part. */
export function outputError(subject: string, error: z.ZodError): EngineError {
  const [first] = error.issues
  const place = first && first.path.length > 0 ? ` at ${first.path.join('.')}` : ''
  const reason = first?.message ?? 'no reason'
  const message = `${subject} returned a result that its output schema refuses${place}: ${reason}`
  return new EngineError('internal', message, { cause: error })
}
