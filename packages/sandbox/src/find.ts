import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** Gives the path of a program as it stands when none is found: starting it then says so. */
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
