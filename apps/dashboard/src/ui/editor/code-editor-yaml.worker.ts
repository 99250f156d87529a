// The package's own worker breaks in development when it is imported as a worker itself.
import 'monaco-yaml/yaml.worker.js'
