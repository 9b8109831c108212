import { errorCode, errorMessage } from '@harvestman/ports/adapters'
import { EngineError } from '@harvestman/ports'

/** Loads a package that only some configurations need. `use` names what needs it, in the error for a package that is not installed. */
export async function loadOptional<Module>(name: string, use: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    const isMissing = errorCode(cause) === 'ERR_MODULE_NOT_FOUND'
    // Its own dependencies may be missing instead.
    if (!isMissing || !errorMessage(cause).includes(`'${name}'`)) throw cause
    throw new EngineError(
      'not_configured',
      `${use} needs the package ${name}, which is not installed. Run \`npm install ${name}\` where Harvestman is installed.`,
      { cause },
    )
  }
}
