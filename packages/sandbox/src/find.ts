import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/**
 * Returns the path of an executable in `PATH`, `/usr/bin` or `/bin`. An absolute path is returned unchecked. If it is not found,
 * returns the name, so that starting it fails with an error.
 */
export function findProgram(name: string): string {
  if (isAbsolute(name)) return name
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/bin']
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? name
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
