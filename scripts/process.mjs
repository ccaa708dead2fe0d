// Starting other programs. Runs on Node 20 and needs no package: setup.mjs uses it before anything is installed.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** The Node 24 of the devDependency `node`, whatever the machine itself has. */
export const projectNode = path.join(
  projectRoot,
  'node_modules/node/bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

/** Environment whose first `node` on PATH is the project's. */
export const projectEnvironment = (extra = {}) => ({
  ...process.env,
  PATH: [path.join(projectRoot, 'node_modules/.bin'), process.env.PATH].join(path.delimiter),
  ...extra,
});

/**
 * Runs a program to its end. Rejects when it cannot start, ends with another code than 0 or takes longer than `timeoutMs`;
 * the error carries `code` and the last `output`. `quiet` keeps the output off the terminal, unless it fails.
 */
export function run(
  command,
  args,
  { cwd = projectRoot, env = projectEnvironment(), quiet = false, timeoutMs = 0, shell = false } = {},
) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, shell, stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit' });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-100_000);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    const timer = timeoutMs > 0 ? setTimeout(() => child.kill('SIGKILL'), timeoutMs) : undefined;
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(output);
      else {
        const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
        reject(
          Object.assign(new Error(`${path.basename(command)} ${args.join(' ')} ${how}\n${output}`.trim()), {
            code,
            output,
          }),
        );
      }
    });
  });
}

/** Runs npm: the one that started us where there is one, under the Node that it came with unless `node` names another. */
export function npm(args, { node, ...options } = {}) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js'))
    return run(node ?? process.env.npm_node_execpath ?? process.execPath, [cli, ...args], options);
  return run('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** `true` when the module at `url` is the program that Node was started with. */
export const isMain = (url) => process.argv[1] !== undefined && fileURLToPath(url) === realpathSync(process.argv[1]);
