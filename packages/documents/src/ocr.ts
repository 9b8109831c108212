export * from '@harvestman/ocr'
