import { modelData } from './model-data.ts'
import { readModel, type Model } from './packed-model.ts'

let model: Model | undefined

/** Returns the bundled model. It is unpacked on first use. */
export function loadModel(): Model {
  model ??= readModel(modelData)
  return model
}
