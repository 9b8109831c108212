import { modelData } from './model-data.ts'
import { readModel, type Model } from './packed-model.ts'

let model: Model | undefined

/**
 * Returns the bundled model. It is unpacked on first use. Throws an `Error` if it was trained on other features than those of
 * this code.
 */
export function loadModel(): Model {
  model ??= readModel(modelData)
  return model
}
