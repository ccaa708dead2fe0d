-- A session of Neovim with the language server, on the file of the command line. Results go into the file `out` as JSON.
-- Written for Neovim 0.7, the oldest that Debian still ships; newer ones know these calls, too.
local server = vim.fn.json_decode(vim.env.AUDITABLE_QA_SERVER)
local out = vim.env.AUDITABLE_QA_OUT
local wish = vim.fn.json_decode(vim.env.AUDITABLE_QA_WISH)
local results = { messages = {} }

local function finish()
  vim.fn.writefile({ vim.fn.json_encode(results) }, out)
  vim.cmd('qall!')
end

local function must(what, found)
  if found then return end
  results.failed = what
  finish()
  error(what)
end

vim.notify = function(message) table.insert(results.messages, tostring(message)) end

local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({
  name = 'auditable-qa',
  cmd = server,
  root_dir = vim.fn.getcwd(),
  init_options = { trusted = true },
  handlers = {
    ['window/showMessage'] = function(_, params) table.insert(results.messages, params.message) end,
  },
})
must('the client starts', client)
must('the buffer is attached', vim.lsp.buf_attach_client(buffer, client))

local function codes()
  local all = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(buffer)) do table.insert(all, diagnostic.code) end
  table.sort(all)
  return all
end

local function has(code) return vim.tbl_contains(codes(), code) end

must('the findings come', vim.wait(40000, function()
  for _, code in ipairs(wish.codes) do
    if not has(code) then return false end
  end
  return true
end, 20))
results.before = codes()
for _, diagnostic in ipairs(vim.diagnostic.get(buffer)) do
  if diagnostic.code == wish.fix then
    local line = vim.api.nvim_buf_get_lines(buffer, diagnostic.lnum, diagnostic.lnum + 1, false)[1]
    results.underlined = line:sub(diagnostic.col + 1, diagnostic.end_col)
    vim.api.nvim_win_set_cursor(0, { diagnostic.lnum + 1, diagnostic.col })
  end
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 20000)
  local answer = answers and answers[client]
  must(method .. ' is answered', answer and not answer.err)
  return answer.result
end

local hover = ask('textDocument/hover', vim.lsp.util.make_position_params(0))
results.hover = table.concat(vim.lsp.util.convert_input_to_markdown_lines(hover.contents), '\n')

-- As a user chooses it from the list.
results.offered = {}
vim.ui.select = function(actions, _, choose)
  local chosen
  for _, action in ipairs(actions) do
    local offer = action[2] or action.action
    table.insert(results.offered, offer.title)
    if offer.title == wish.title then chosen = action end
  end
  choose(chosen)
end
vim.lsp.buf.code_action()
must('the fix is made and its finding goes', vim.wait(20000, function() return not has(wish.fix) end, 20))
results.after = codes()
results.lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)

-- A lens that runs a solution: the server itself carries it out.
local lenses = ask('textDocument/codeLens', { textDocument = vim.lsp.util.make_text_document_params() })
local lens = ask('codeLens/resolve', lenses[1])
results.lenses = #lenses
results.lens = lens.command.title
ask('workspace/executeCommand', { command = lens.command.command, arguments = lens.command.arguments })
vim.wait(5000, function() return #results.messages > 0 end, 20)

vim.lsp.stop_client(client)
results.stopped = vim.wait(10000, function() return vim.lsp.client_is_stopped(client) end, 20)
finish()
