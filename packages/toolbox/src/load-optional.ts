import { errorCode, errorMessage } from './error-message.ts'
import { EngineError } from '@harvestman/ports'

/**
 * Loads an optional package. `use` names the feature that needs it, for the error if the package is not installed.
 * That error is `not_configured`; any other error of the package is thrown unchanged.
 */
export async function loadOptional<Module>(name: string, use: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    const isMissing = errorCode(cause) === 'ERR_MODULE_NOT_FOUND'
    // One of its own dependencies may be missing instead.
    if (!isMissing || !errorMessage(cause).includes(`'${name}'`)) throw cause
    throw new EngineError(
      'not_configured',
      `${use} needs the package ${name}, which is not installed. Run \`npm install ${name}\` where Harvestman is installed.`,
      { cause },
    )
  }
}
