// Members of the editor's library that its types leave out.

declare module 'monaco-editor/base/common/errors' {
  export const errorHandler: { unexpectedErrorHandler: (error: unknown) => void }
  export function onUnexpectedError(error: unknown): void
}

declare module 'monaco-editor/internal/common/initialize' {
  export function initialize(make: (context: unknown, made: unknown) => object): void
}

declare module 'monaco-editor/languages/features/json/jsonWorker' {
  interface Place {
    line: number
    character: number
  }

  export interface JsonDiagnostic {
    message: string
    severity: number
    range: { start: Place; end: Place }
  }

  export class JSONWorker {
    constructor(context: unknown, made: unknown)
    _getTextDocument(uri: string): { getText(): string } | null
    doValidation(uri: string): Promise<JsonDiagnostic[]>
  }
}
